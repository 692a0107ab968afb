import { type Chunk, type Lane, lanes } from '@tickrate/pipeline';
import type { DeliveryOutcome } from '../delivery/deliver.ts';
import { type BatchSize, type WaitingChunk, WaitingChunks } from './waiting-chunks.ts';

export interface BatchLimits extends BatchSize {
  /**
   * The longest time that a chunk waits for a larger batch while an insert could start: less, the fuller the batch. A
   * chunk that arrives later than this after the last batch waits only for those that arrive together with it.
   */
  readonly maxAgeMs: number;
  readonly maxInFlight: number;
}

export interface BatcherClock {
  now(): number;
  /** Calls `fire` once after `delayMs`, unless the returned function cancels it. */
  setTimer(delayMs: number, fire: () => void): () => void;
}

export interface BatcherOptions {
  readonly limits: BatchLimits;
  /**
   * How many jobs of each lane the consumer fetches at the same time. If all of one lane are here, waiting gains
   * nothing.
   */
  readonly slots: Readonly<Record<Lane, number>>;
  readonly clock: BatcherClock;
  deliver(chunks: readonly Chunk[]): Promise<DeliveryOutcome>;
}

/** Chunks arrive together if so little time is between them. */
const togetherMs = 20;
/** Rounding of sums of shares. */
const roundingError = 1e-6;

interface InHand extends WaitingChunk {
  /** The share of a consumer slot: chunks that came together share one. */
  readonly share: number;
  readonly done: PromiseWithResolvers<void>;
}

/**
 * Groups chunks into batches. The states of a chunk:
 * - waiting: until the batch is due, and one of the few inserts is free. A batch is due when it is full or old enough,
 *   when every slot of a lane is used, so that no more chunks can come, or while draining. → in flight.
 * - in flight: is being delivered, and takes one of the inserts. → refused, or gone.
 * - refused: ClickHouse refused a row of its batch. It takes no insert, so that another batch can start. → gone.
 * - gone: stored, or given up. Its job is completed, or delivered again.
 *
 * The batcher is gathering, and after `drain` it is draining for good: then every chunk is due at once.
 */
export class Batcher {
  readonly #options: BatcherOptions;
  readonly #inHand = new Map<string, InHand>();
  readonly #waiting = new WaitingChunks<InHand>();
  readonly #inHandOf: Record<Lane, number> = { bulk: 0, express: 0 };
  #inFlight = 0;
  #heldBytes = 0;
  #draining = false;
  #cancelTimer: (() => void) | null = null;
  #lastBatchMs = Number.NEGATIVE_INFINITY;
  #lastRows = 0;
  #newestMs = 0;

  constructor(options: BatcherOptions) {
    this.#options = options;
  }

  /** Chunks that wait or are being delivered. */
  get chunks(): number {
    return this.#inHand.size;
  }

  /** Bytes of their frames. */
  get bytes(): number {
    return this.#heldBytes;
  }

  /** Until then, one more chunk would only wait, if as many rows come as for the last batch. */
  get untilNextMs(): number {
    if (this.#draining) return 0;
    return Math.max(0, this.#lastBatchMs + this.#waitMs(this.#lastRows) - this.#options.clock.now());
  }

  /**
   * Resolves when the chunk is stored, rejects when its batch gave up. A second delivery of a chunk in progress gets
   * the result of the first.
   */
  add(chunk: Chunk, lane: Lane, share = 1): Promise<void> {
    const known = this.#inHand.get(chunk.id);
    if (known !== undefined) return known.done.promise;
    const sinceMs = this.#options.clock.now();
    const entry = { chunk, lane, share, sinceMs, done: Promise.withResolvers<void>() };
    this.#inHand.set(chunk.id, entry);
    this.#inHandOf[lane] += share;
    this.#newestMs = sinceMs;
    this.#heldBytes += chunk.frame.length;
    this.#waiting.add(entry);
    this.#flushWhatIsDue();
    return entry.done.promise;
  }

  /** Every chunk is due at once. Call it before the consumer closes, which waits for its chunks. */
  drain(): void {
    this.#draining = true;
    this.#flushWhatIsDue();
  }

  #flushWhatIsDue(): void {
    while (this.#inFlight < this.#options.limits.maxInFlight && this.#isDue()) void this.#flush();
    this.#armTimer();
  }

  #isDue(): boolean {
    const oldestMs = this.#waiting.oldestMs();
    if (oldestMs === null) return false;
    const { limits, slots, clock } = this.#options;
    return (
      this.#draining ||
      this.#waiting.rows >= limits.maxRows ||
      this.#waiting.bytes >= limits.maxBytes ||
      lanes.some((lane) => this.#inHandOf[lane] >= slots[lane] - roundingError) ||
      clock.now() >= this.#dueMs(oldestMs)
    );
  }

  #dueMs(oldestMs: number): number {
    const waitMs = this.#waitMs(this.#waiting.rows);
    return Math.min(oldestMs + waitMs, Math.max(this.#newestMs + togetherMs, this.#lastBatchMs + waitMs));
  }

  /** The fuller a batch, the less it gains by waiting, and the longer its insert will take. */
  #waitMs(rows: number): number {
    const { maxAgeMs, maxRows } = this.#options.limits;
    return maxAgeMs * (1 - Math.min(1, rows / maxRows));
  }

  async #flush(): Promise<void> {
    const { limits, clock } = this.#options;
    this.#lastRows = this.#waiting.rows;
    const batch = this.#waiting.take(limits);
    this.#inFlight += 1;
    this.#lastBatchMs = clock.now();
    const resolve = () => {
      for (const entry of batch) this.#release(entry).resolve();
    };
    const reject = (fault: unknown) => {
      for (const entry of batch) this.#release(entry).reject(fault);
    };
    try {
      const outcome = await this.#options.deliver(batch.map(({ chunk }) => chunk));
      if (outcome.kind === 'settled') resolve();
      else void outcome.settled.then(resolve, reject).then(() => this.#flushWhatIsDue());
    } catch (fault) {
      reject(fault);
    }
    this.#inFlight -= 1;
    this.#flushWhatIsDue();
  }

  #release(entry: InHand): PromiseWithResolvers<void> {
    this.#inHand.delete(entry.chunk.id);
    this.#inHandOf[entry.lane] -= entry.share;
    this.#heldBytes -= entry.chunk.frame.length;
    return entry.done;
  }

  /** While all inserts are busy, the end of one checks again; no timer is needed. */
  #armTimer(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = null;
    const oldestMs = this.#waiting.oldestMs();
    if (oldestMs === null || this.#inFlight >= this.#options.limits.maxInFlight) return;
    const { clock } = this.#options;
    const leftMs = Math.max(0, this.#dueMs(oldestMs) - clock.now());
    this.#cancelTimer = clock.setTimer(leftMs, () => this.#flushWhatIsDue());
  }
}
