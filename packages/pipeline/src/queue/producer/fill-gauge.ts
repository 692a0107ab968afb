import { sleep } from '@tickrate/platform';
import { type Lane, lanes } from '../stores/lane.ts';
import type { StoreLevel } from '../stores/queue-store.ts';

const maxPollMs = 5_000;

/** Projects that send much are refused first, so a flood leaves capacity to the others. */
const marks = {
  bulk: { refuseAt: 0.6, resumeBelow: 0.5 },
  express: { refuseAt: 0.7, resumeBelow: 0.6 },
} as const;
const resumeAge = 0.9;

/** A level below this fill is read less often, as long as this gateway has not added that share of the limit. */
const calm = { fill: 0.3, added: 0.01, polls: 240 } as const;

/**
 * In a full Redis, BullMQ's workers cannot take jobs either, so the queue could never become shorter. So the gauge
 * refuses chunks long before.
 */
export function createFillGauge(options: {
  measure(): Promise<readonly StoreLevel[]>;
  /** Monotonic milliseconds. */
  now(): number;
  readonly pollMs?: number;
  readonly limitAgeMs?: number | null;
  /** Epoch milliseconds, like the ages of chunks. */
  readonly wallNow?: () => number;
}) {
  const { measure, now, pollMs = 250, limitAgeMs = null, wallNow = Date.now } = options;
  const full: Record<Lane, boolean> = { bulk: false, express: false };
  let aged = false;
  let known = false;
  let levels: readonly StoreLevel[] = [];
  let addedBytes = 0;
  let isDue = false;
  let disturbed = new AbortController();

  function fill(): number {
    return Math.max(
      0,
      ...levels.map((level) => (level.usedBytes + addedBytes) / Math.max(1, level.limitBytes)),
    );
  }

  function isAged(): boolean {
    if (limitAgeMs === null) return false;
    const oldest = levels.map((level) => level.oldestMs).filter((ms) => ms !== null);
    const ageMs = oldest.length === 0 ? 0 : wallNow() - Math.min(...oldest);
    return ageMs >= limitAgeMs || (aged && ageMs >= limitAgeMs * resumeAge);
  }

  async function read(): Promise<void> {
    const addedBefore = addedBytes;
    isDue = false;
    try {
      levels = await measure();
      addedBytes -= addedBefore;
      known = levels.length > 0;
      for (const lane of lanes) {
        const { refuseAt, resumeBelow } = marks[lane];
        full[lane] = fill() >= refuseAt || (full[lane] && fill() >= resumeBelow);
      }
      aged = isAged();
    } catch {
      known = false; // adding fails with its own reason
    }
  }

  function isCalm(): boolean {
    const limitBytes = Math.min(...levels.map((level) => Math.max(1, level.limitBytes)));
    return known && !isDue && !aged && fill() < calm.fill && addedBytes < limitBytes * calm.added;
  }

  return {
    /**
     * False from the upper mark of the lane until the level is below its lower mark, while the oldest chunk is too old,
     * and while the level cannot be read. The default is the express lane.
     */
    accepting: (lane: Lane = 'express') => known && !full[lane] && !aged,
    /** Counts bytes that were added since the last reading, because a small store can fill up between two readings. */
    added(bytes: number) {
      addedBytes += bytes;
      for (const lane of lanes) full[lane] ||= fill() >= marks[lane].refuseAt;
      if (!isCalm()) disturbed.abort();
    },
    /** Ends the long rest between two readings of a calm queue: an addition failed, or a store was opened. */
    readSoon() {
      isDue = true;
      disturbed.abort();
    },
    /** The last reading, one for each store. Empty before the first reading. */
    levels: () => levels,
    /** Reads once. Never rejects. */
    read,
    /** Reads until `signal` is aborted. */
    async watch(signal: AbortSignal): Promise<void> {
      while (!signal.aborted) {
        const started = now();
        await read();
        // Measuring a long queue in Postgres is slow. It may use at most a twentieth of the time.
        const costMs = known ? now() - started : 0;
        const restMs = Math.min(Math.max(pollMs, 20 * costMs), maxPollMs);
        await sleep(restMs, signal);
        disturbed = new AbortController();
        const calmMs = Math.max(0, calm.polls * pollMs - restMs);
        if (isCalm()) await sleep(calmMs, AbortSignal.any([signal, disturbed.signal]));
      }
    },
  };
}
