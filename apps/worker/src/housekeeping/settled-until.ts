import type { StoreLevel } from '@tickrate/pipeline';

export interface SettledUntilOptions {
  levels(): Promise<readonly StoreLevel[]>;
  oldestUnstoredMs(): Promise<number | null>;
  now(): number;
  /** For events that a gateway still buffers, and for clocks that differ. */
  readonly marginMs: number;
}

/**
 * The time until which all received events are durably stored: no waiting chunk and no open batch has an older event.
 * Only such rows may be removed, because delivery counts the rows of open batches and inserts missing ones again.
 */
export function createSettledUntil(options: SettledUntilOptions): () => Promise<number> {
  const { levels, oldestUnstoredMs, now, marginMs } = options;
  return async () => {
    const nowMs = now();
    const pending = (await levels()).map((level) => level.oldestMs);
    const times = [...pending, await oldestUnstoredMs(), nowMs].filter((ms) => ms !== null);
    return Math.min(...times) - marginMs;
  };
}
