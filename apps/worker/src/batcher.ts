import type { Chunk } from '@tickrate/pipeline';

export interface BatchLimits {
  readonly maxRows: number;
  /** Of compressed frames. */
  readonly maxBytes: number;
  /** The longest that a chunk waits for company while an insert could begin. */
  readonly maxAgeMs: number;
  readonly maxInFlight: number;
}

export interface BatcherClock {
  now(): number;
  /** Calls `fire` once after `delayMs`, unless it is cancelled by the function that it returns. */
  setTimer(delayMs: number, fire: () => void): () => void;
}

export interface BatcherOptions {
  readonly limits: BatchLimits;
  /** How many chunks the consumer can have in hand. When all are here, nothing is worth waiting for. */
  readonly slots: number;
  readonly clock: BatcherClock;
  /** Resolves when all of the chunks are stored. */
  deliver(chunks: readonly Chunk[]): Promise<void>;
}

interface InHand {
  readonly chunk: Chunk;
  readonly sinceMs: number;
  readonly done: PromiseWithResolvers<void>;
}

/**
 * Groups chunks into batches. A chunk waits until the batch is full, old enough, or all slots are taken, and
 * until one of the few inserts may begin. gathering → draining (every chunk is due at once), for good.
 */
export class Batcher {
  readonly #options: BatcherOptions;
  readonly #inHand = new Map<string, InHand>();
  readonly #waiting: InHand[] = [];
  #waitingRows = 0;
  #waitingBytes = 0;
  #inFlight = 0;
  #heldBytes = 0;
  #draining = false;
  #cancelTimer: (() => void) | null = null;

  constructor(options: BatcherOptions) {
    this.#options = options;
  }

  /** Chunks waiting and being delivered. */
  get chunks(): number {
    return this.#inHand.size;
  }

  /** Of their frames. */
  get bytes(): number {
    return this.#heldBytes;
  }

  /**
   * Resolves when the chunk is stored, rejects when its batch gave up. A chunk that is delivered a second
   * time while it is in hand shares the fate of the first.
   */
  add(chunk: Chunk): Promise<void> {
    const known = this.#inHand.get(chunk.id);
    if (known !== undefined) return known.done.promise;
    const entry = { chunk, sinceMs: this.#options.clock.now(), done: Promise.withResolvers<void>() };
    this.#inHand.set(chunk.id, entry);
    this.#heldBytes += chunk.frame.length;
    this.#waiting.push(entry);
    this.#waitingRows += chunk.count;
    this.#waitingBytes += chunk.frame.length;
    this.#flushWhatIsDue();
    return entry.done.promise;
  }

  /** Waits for no company any more. Call it before the consumer closes, which waits for chunks in hand. */
  drain(): void {
    this.#draining = true;
    this.#flushWhatIsDue();
  }

  #flushWhatIsDue(): void {
    while (this.#inFlight < this.#options.limits.maxInFlight && this.#isDue()) void this.#flush();
    this.#armTimer();
  }

  #isDue(): boolean {
    const { limits, slots, clock } = this.#options;
    const [oldest] = this.#waiting;
    if (oldest === undefined) return false;
    return (
      this.#draining ||
      this.#waitingRows >= limits.maxRows ||
      this.#waitingBytes >= limits.maxBytes ||
      this.#inHand.size >= slots ||
      clock.now() - oldest.sinceMs >= limits.maxAgeMs
    );
  }

  async #flush(): Promise<void> {
    const batch = this.#takeBatch();
    this.#inFlight += 1;
    try {
      await this.#options.deliver(batch.map((entry) => entry.chunk));
      for (const entry of batch) this.#release(entry).resolve();
    } catch (fault) {
      for (const entry of batch) this.#release(entry).reject(fault);
    }
    this.#inFlight -= 1;
    this.#flushWhatIsDue();
  }

  #takeBatch(): InHand[] {
    const { maxRows, maxBytes } = this.#options.limits;
    let rows = 0;
    let bytes = 0;
    const cut = this.#waiting.findIndex(({ chunk }) => {
      rows += chunk.count;
      bytes += chunk.frame.length;
      return rows >= maxRows || bytes >= maxBytes;
    });
    const batch = this.#waiting.splice(0, cut === -1 ? this.#waiting.length : cut + 1);
    this.#waitingRows -= rows;
    this.#waitingBytes -= bytes;
    return batch;
  }

  #release(entry: InHand): PromiseWithResolvers<void> {
    this.#inHand.delete(entry.chunk.id);
    this.#heldBytes -= entry.chunk.frame.length;
    return entry.done;
  }

  /** While all inserts are taken, the end of one looks again; no timer is needed. */
  #armTimer(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = null;
    const [oldest] = this.#waiting;
    if (oldest === undefined || this.#inFlight >= this.#options.limits.maxInFlight) return;
    const { clock, limits } = this.#options;
    const leftMs = Math.max(0, limits.maxAgeMs - (clock.now() - oldest.sinceMs));
    this.#cancelTimer = clock.setTimer(leftMs, () => this.#flushWhatIsDue());
  }
}
