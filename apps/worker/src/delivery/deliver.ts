import type { Chunk, Ledger, SealedBatch } from '@tickrate/pipeline';
import type { DeliveryEvents } from '../events.ts';
import { type PartInsert, RefusedBatches, unreadable } from '../refused/refused-batches.ts';
import { type OpenParts, storedBefore } from '../refused/stored-before.ts';
import { batchBody } from './batch-body.ts';
import type { EventStore, Refusal } from './event-store.ts';
import type { Retries } from './retries.ts';
import { insertSurely, type SureInsert } from './sure-insert.ts';

export interface DeliveryOptions {
  readonly ledger: Ledger;
  readonly store: EventStore;
  /** Reads chunks from the queue; null for a chunk that is not in the queue. */
  findChunks(chunkIds: readonly string[]): Promise<ReadonlyMap<string, Chunk | null>>;
  /** Retries while the ledger is away, and while the store or the queue is. */
  readonly retries: { readonly ledger: Retries; readonly store: Retries };
  newId(): string;
  now(): number;
  readonly events: DeliveryEvents;
  /**
   * If a batch was sealed longer ago than this and is not stored, the store may have forgotten its token: the store
   * reports which chunks it has before anything is inserted.
   */
  readonly tokenWindowMs: number;
  readonly mostInsertsPerBatch?: number;
}

type Chunks = ReadonlyMap<string, Chunk>;

/** How a delivery continues. It rejects if an attempt was given up: the queue delivers the chunks again. */
export type DeliveryOutcome =
  /** Every chunk is stored, dropped or dead. */
  | { readonly kind: 'settled' }
  /**
   * ClickHouse refused rows, and the queue of refused batches has them. `settled` resolves when every chunk is stored,
   * dropped or dead. That can take long, so batches of other chunks do not wait for it.
   */
  | { readonly kind: 'refused'; readonly settled: Promise<void> };

const settled: DeliveryOutcome = { kind: 'settled' };

/**
 * Seals chunks as a batch, inserts it, and marks it as stored. The caller removes the jobs only when all is settled.
 *
 * The states of a batch:
 * - sealing: the ledger decides which chunks, and which of their rows, form it. Chunks that another call sealed belong
 *   to a batch elsewhere. → inserting; settled if no row is left.
 * - replaying: a batch elsewhere that is not stored. The ledger records that it is taken over, so that the worker that
 *   sealed it and may still insert does not take the answer to a repeat for an answer to the first insert. Its other
 *   chunks are read from the queue. → inserting with the same rows, order and token; checking if a chunk is missing, or
 *   if ClickHouse may have forgotten the token; refused if it was split before.
 * - checking: ClickHouse counts the rows of each chunk. Stored chunks are not sent again. Chunks that are neither stored
 *   nor queued are lost. → inserting or refused.
 * - inserting: repeated until ClickHouse stores the rows or refuses one. → settled or refused.
 * - refused: waits in the queue of refused batches, which finds the bad rows. → settled.
 * - settled: the ledger counts the rows as stored.
 */
export class Delivery {
  readonly #options: DeliveryOptions;
  readonly #ledger: Ledger;
  readonly #refused: RefusedBatches;

  constructor(options: DeliveryOptions) {
    this.#options = options;
    this.#ledger = retryingLedger(options);
    const { newId, events, mostInsertsPerBatch: mostInserts = 200 } = options;
    const insert = (part: PartInsert) => this.#insert({ ...part, isCountExact: false });
    this.#refused = new RefusedBatches({ ledger: this.#ledger, insert, newId, events, mostInserts });
  }

  /** The ids of the chunks are distinct. */
  async deliver(chunks: readonly Chunk[]): Promise<DeliveryOutcome> {
    const inHand = new Map(chunks.map((chunk) => [chunk.id, chunk]));
    const { won, elsewhere } = await this.#ledger.seal(this.#options.newId(), chunks);
    const outcomes: DeliveryOutcome[] = [];
    if (won !== null) {
      this.#reportDropped(won);
      if (!won.stored) outcomes.push(await this.#store({ batch: won, chunks: inHand }));
    }
    for (const batch of elsewhere) {
      if (!batch.stored) outcomes.push(await this.#replay(batch.batchId, inHand));
    }
    const refused = outcomes.flatMap((outcome) => (outcome.kind === 'refused' ? outcome.settled : []));
    if (refused.length === 0) return settled;
    return { kind: 'refused', settled: Promise.all(refused).then(() => undefined) };
  }

  /** Finishes a batch that another worker sealed. */
  async replay(batchId: string): Promise<void> {
    const outcome = await this.#replay(batchId, new Map());
    if (outcome.kind === 'refused') await outcome.settled;
  }

  async #replay(batchId: string, inHand: Chunks): Promise<DeliveryOutcome> {
    const batch = await this.#ledger.takeOver(batchId);
    if (batch === null) return settled; // only stored batches are ever dropped from the ledger
    const chunks = await this.#withSiblings(batch, inHand);
    const isWhole = batch.chunks.every((chunk) => chunk.rows === 0 || chunks.has(chunk.id));
    const isFresh = batch.ageMs <= this.#options.tokenWindowMs;
    if (isWhole && isFresh) return this.#store({ batch, chunks });
    return this.#storeAfterCheck(batch, chunks);
  }

  async #storeAfterCheck(batch: SealedBatch, chunks: Map<string, Chunk>): Promise<DeliveryOutcome> {
    const { store, retries, events } = this.#options;
    const ids = batch.chunks.map((chunk) => chunk.id);
    const counts = await retries.store.keepTrying(() => store.countByChunk(ids));
    const before = storedBefore(batch, counts);
    const lost = before.absentChunks.filter((id) => !chunks.has(id));
    if (lost.length > 0 && (await this.#ledger.lose(batch.id, lost))) events.chunksLost(batch.id, lost);
    for (const id of before.storedChunks) chunks.delete(id);
    return this.#store({ batch, chunks, isStored: before.isStored });
  }

  async #store({ batch, chunks, isStored }: StoreAttempt): Promise<DeliveryOutcome> {
    const beganMs = this.#options.now();
    const isSplit = batch.fragments.length > 0;
    const refusal = isSplit ? null : await this.#insertWhole({ batch, chunks });
    if (refusal !== null) this.#options.events.insertRefused(batch.id, refusal);
    else if (!isSplit) {
      await this.#markStored(batch, beganMs);
      return settled;
    }
    const finished = this.#refused
      .add({ batch, chunks, refusal, isStored })
      .then(() => this.#markStored(batch, beganMs));
    finished.catch(() => undefined); // the caller may wait for another batch, or give up, before it looks at this one
    return { kind: 'refused', settled: finished };
  }

  async #markStored(batch: SealedBatch, beganMs: number): Promise<void> {
    if (!(await this.#ledger.stored(batch.id))) return;
    const { id: batchId, rows, chunks, takenOver: replayed } = batch;
    const durationMs = this.#options.now() - beganMs;
    this.#options.events.batchStored({ batchId, rows, chunks, durationMs, replayed });
  }

  async #insertWhole({ batch, chunks }: StoreAttempt): Promise<Refusal | null> {
    const frames = new Map([...chunks].map(([id, chunk]) => [id, chunk.frame]));
    const body = await batchBody(batch, frames).catch(() => null);
    if (body === null) return unreadable;
    if (body.length === 0) return null;
    const sent = batch.chunks.filter((chunk) => chunk.rows > 0 && chunks.has(chunk.id));
    const rows = new Map(sent.map((chunk) => [chunk.id, chunk.rows]));
    const outcome = await this.#insert({
      batchId: batch.id,
      body,
      token: batch.id,
      rows,
      repeated: batch.takenOver,
      isCountExact: true,
    });
    return outcome.kind === 'data' ? outcome : null;
  }

  #insert(insert: SureInsert) {
    const { store, retries, events } = this.#options;
    const { batch: findBatch } = this.#ledger;
    const deps = { store, retries: retries.store, findBatch, onVanished: events.rowsVanished };
    return insertSurely(deps, insert);
  }

  async #withSiblings(batch: SealedBatch, inHand: Chunks): Promise<Map<string, Chunk>> {
    const { findChunks, retries } = this.#options;
    const chunks = new Map<string, Chunk>();
    const unknown: string[] = [];
    for (const { id } of batch.chunks) {
      const chunk = inHand.get(id);
      if (chunk === undefined) unknown.push(id);
      else chunks.set(id, chunk);
    }
    if (unknown.length === 0) return chunks;
    const found = await retries.store.keepTrying(() => findChunks(unknown));
    for (const [id, chunk] of found) if (chunk !== null) chunks.set(id, chunk);
    return chunks;
  }

  #reportDropped({ id, chunks }: SealedBatch): void {
    const rows = chunks.flatMap((chunk) => chunk.drops).reduce((sum, drop) => sum + drop.count, 0);
    if (rows > 0) this.#options.events.rowsDeduplicated(id, rows);
  }
}

interface StoreAttempt {
  readonly batch: SealedBatch;
  readonly chunks: Chunks;
  readonly isStored?: OpenParts;
}

/** All methods of the ledger can be repeated: each is retried until PostgreSQL answers. */
function retryingLedger({ ledger, retries }: DeliveryOptions): Ledger {
  const retrying = <A extends unknown[], R>(call: (...given: A) => Promise<R>) => {
    return (...given: A) => retries.ledger.keepTrying(() => call(...given));
  };
  return {
    ...ledger,
    seal: retrying(ledger.seal),
    batch: retrying(ledger.batch),
    takeOver: retrying(ledger.takeOver),
    stored: retrying(ledger.stored),
    split: retrying(ledger.split),
    fragmentStored: retrying(ledger.fragmentStored),
    buryFragment: retrying(ledger.buryFragment),
    lose: retrying(ledger.lose),
  };
}
