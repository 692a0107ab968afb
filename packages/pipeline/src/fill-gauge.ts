import { pause } from './open-stores.ts';
import type { StoreLevel } from './queue-store.ts';

export interface FillGauge {
  /** False from the upper mark until the level fell below the lower one, and while it cannot be read. */
  accepting(): boolean;
  /** Counts bytes that were added since the last reading: a small store fills up between two of them. */
  added(bytes: number): void;
  /** What was read last, one per store; empty before the first reading. */
  levels(): readonly StoreLevel[];
  /** Reads once. Never rejects. */
  read(): Promise<void>;
  /** Reads until `signal` is aborted. */
  watch(signal: AbortSignal): Promise<void>;
}

export interface FillGaugeOptions {
  measure(): Promise<readonly StoreLevel[]>;
  /** Monotonic milliseconds. */
  now(): number;
  readonly pollMs?: number;
  readonly refuseAt?: number;
  readonly resumeBelow?: number;
}

const maxPollMs = 5_000;

/** BullMQ dead-locks in a full Redis: its workers cannot take jobs either. So we refuse long before. */
export function createFillGauge(options: FillGaugeOptions): FillGauge {
  const { measure, now, pollMs = 250, refuseAt = 0.7, resumeBelow = 0.6 } = options;
  let full = false;
  let known = false;
  let levels: readonly StoreLevel[] = [];
  let addedBytes = 0;

  function fill(): number {
    return Math.max(
      0,
      ...levels.map((level) => (level.usedBytes + addedBytes) / Math.max(1, level.limitBytes)),
    );
  }

  async function read(): Promise<void> {
    const addedBefore = addedBytes;
    try {
      levels = await measure();
      addedBytes -= addedBefore;
      known = levels.length > 0;
      full = fill() >= refuseAt || (full && fill() >= resumeBelow);
    } catch {
      known = false; // adding fails with its own reason
    }
  }

  return {
    accepting: () => known && !full,
    added(bytes) {
      addedBytes += bytes;
      full ||= fill() >= refuseAt;
    },
    levels: () => levels,
    read,
    async watch(signal) {
      while (!signal.aborted) {
        const started = now();
        await read();
        // A deep queue in Postgres takes long to measure: measuring may cost a twentieth of the time.
        const costMs = known ? now() - started : 0;
        await pause(Math.min(Math.max(pollMs, 20 * costMs), maxPollMs), signal);
      }
    },
  };
}
