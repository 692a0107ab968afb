import type { SavedState } from './saved-state.ts';
import type { SegmentPlace, Store } from './store.ts';

const mostEvents = 200;

/** The buffer where nothing can be written: up to 200 events, which end with the process. `known` was saved earlier. */
export function createMemoryStore(known: SavedState | null = null): Store {
  const texts = new Map<string, string>();
  let events = 0;
  const textOf = ({ name }: SegmentPlace) => texts.get(name) ?? '';
  const remove = async (place: SegmentPlace) => {
    events -= linesOf(textOf(place)) - 1;
    texts.delete(place.name);
  };
  return {
    durable: false,
    open: async () => known,
    adopt: async () => [],
    append(name, text) {
      if (events >= mostEvents) throw new Error('the buffer in memory is full');
      events++;
      texts.set(name, (texts.get(name) ?? '') + text);
    },
    flushed: async () => undefined,
    cut: async ({ name }, text) => void texts.set(name, text),
    seal: async (place) => ({ ...place, sealed: true }),
    read: async (place) => textOf(place),
    async write({ name }, text) {
      texts.set(name, text);
      events += linesOf(text) - 1;
    },
    remove,
    setAside: remove,
    async clear() {
      texts.clear();
      events = 0;
    },
    updateState: async (change) => change(known),
    close: async () => undefined,
  };
}

function linesOf(text: string): number {
  return Math.max(1, text.split('\n').length - 1);
}
