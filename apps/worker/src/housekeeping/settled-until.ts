import type { StoreLevel } from '@tickrate/pipeline';

/**
 * The time until which all received events are durably stored: no waiting chunk and no open batch has an older event.
 * Only such rows may be removed, because delivery counts the rows of open batches and inserts missing ones again.
 */
export async function findSettledUntil(events: {
  levels(): Promise<readonly StoreLevel[]>;
  oldestUnstoredMs(): Promise<number | null>;
  now(): number;
  /** For events that a gateway still buffers, and for clocks that differ. */
  readonly marginMs: number;
}): Promise<number> {
  const nowMs = events.now();
  const pending = (await events.levels()).map((level) => level.oldestMs);
  const times = [...pending, await events.oldestUnstoredMs(), nowMs].filter((ms) => ms !== null);
  return Math.min(...times) - events.marginMs;
}
