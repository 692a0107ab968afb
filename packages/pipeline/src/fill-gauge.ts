import { pause } from './open-stores.ts';
import type { StoreLevel } from './queue-store.ts';

export interface FillGauge {
  /** False from the upper mark until the level fell below the lower one, and while it cannot be read. */
  accepting(): boolean;
  /** What was read last, one per store; empty before the first reading. */
  levels(): readonly StoreLevel[];
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

  async function read(): Promise<void> {
    try {
      levels = await measure();
      const fill = Math.max(0, ...levels.map((level) => level.usedBytes / Math.max(1, level.limitBytes)));
      full = fill >= refuseAt || (full && fill >= resumeBelow);
      known = levels.length > 0;
    } catch {
      known = false; // adding fails with its own reason
    }
  }

  return {
    accepting: () => known && !full,
    levels: () => levels,
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
