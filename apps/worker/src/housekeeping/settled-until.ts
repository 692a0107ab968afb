import type { StoreLevel } from '@tickrate/pipeline';

export interface SettledUntilOptions {
  levels(): Promise<readonly StoreLevel[]>;
  oldestUnstoredMs(): Promise<number | null>;
  now(): number;
  /** For what a gateway still holds, and for clocks that differ. */
  readonly marginMs: number;
}

/**
 * Until when whatever was received is stored for good: no chunk waits and no batch is open with an older event. Only
 * such rows may be removed, since delivery counts the rows of open batches and stores again what it misses.
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
