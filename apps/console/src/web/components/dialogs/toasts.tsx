import { type ReactNode, useSyncExternalStore } from 'react';
import { Icon } from '../../look/icon.tsx';
import { commonTexts } from '../../texts/common-texts.ts';
import { useTexts } from '../../texts/use-texts.ts';
import { IconButton } from '../button.tsx';

interface Toast {
  readonly id: number;
  readonly text: string;
  readonly tone: 'good' | 'bad';
}

const shownMs = 5_000;
const listeners = new Set<() => void>();
let toasts: readonly Toast[] = [];
let lastId = 0;

/** Says that something was done. A problem stays beside what it concerns instead: see ProblemNote. */
export function showToast(text: string, tone: Toast['tone'] = 'good'): void {
  lastId += 1;
  const toast = { id: lastId, text, tone };
  change([...toasts.slice(-3), toast]);
  setTimeout(() => hide(toast.id), shownMs);
}

function hide(id: number): void {
  change(toasts.filter((each) => each.id !== id));
}

function change(next: readonly Toast[]): void {
  toasts = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function Toasts(): ReactNode {
  const shown = useSyncExternalStore(subscribe, () => toasts);
  const texts = useTexts(commonTexts);
  return (
    <div role="status" className="no-print fixed bottom-4 right-4 z-[60] flex w-80 flex-col gap-2">
      {shown.map((toast) => (
        <div key={toast.id} className="overlay flex items-start gap-2 p-2 pl-3">
          <Icon
            name={toast.tone === 'good' ? 'circle-check' : 'circle-alert'}
            className={`mt-1.5 ${toast.tone === 'good' ? 'text-accent' : 'text-bad'}`}
          />
          <span className="foreign flex-1 py-1">{toast.text}</span>
          <IconButton icon="x" label={texts.close} onPress={() => hide(toast.id)} />
        </div>
      ))}
    </div>
  );
}
