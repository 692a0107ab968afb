import type { Chunk, Ledger, SealedBatch, SealOutcome } from '@tickrate/pipeline';
import { type PartInsert, RefusedBatch, unreadable } from '../refused/refused-batch.ts';
import { type OpenParts, storedBefore } from '../refused/stored-before.ts';
import { batchBody } from './batch-body.ts';
import type { DeliveryEvents } from './delivery-events.ts';
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

interface StoreAttempt {
  readonly replayed: boolean;
  readonly isStored?: OpenParts;
}

interface HeldRows {
  readonly chunks: Chunks;
  /** Whether another worker may have tried parts of the batch before. */
  readonly repeated: boolean;
}

/**
 * The rest of a delivery in which ClickHouse rejected rows: finds them, and stores all others. It can take long, so the
 * batches of other chunks do not wait for it.
 */
export type Search = () => Promise<void>;

/** seal → insert → stored. The caller removes the jobs only when everything is done. */
export class Delivery {
  readonly #options: DeliveryOptions;
  readonly #ledger: Ledger;
  /** Rejected batches are searched one after the other: each is in memory, inflated. */
  #lastSearch: Promise<void> = Promise.resolve();

  constructor(options: DeliveryOptions) {
    this.#options = options;
    this.#ledger = retryingLedger(options);
  }

  /**
   * Resolves with null when every chunk is stored, dropped or dead, or with the search that it requires. The ids are
   * distinct.
   */
  async deliver(chunks: readonly Chunk[]): Promise<Search | null> {
    const inHand = new Map(chunks.map((chunk) => [chunk.id, chunk]));
    const batchId = this.#options.newId();
    const { won, elsewhere } = await this.#ledger.seal(batchId, chunks);
    const steps: Step[] = [];
    if (won !== null) {
      this.#tellDropped(won);
      if (!won.stored) steps.push(() => this.#store(won, inHand, { replayed: false }));
    }
    for (const batch of elsewhere) {
      if (!batch.stored) steps.push(() => this.#replay(batch.batchId, inHand));
    }
    return untilSearch(steps);
  }

  /** Finishes a batch that another worker sealed: the same rows, order and token. */
  async replay(batchId: string): Promise<void> {
    const search = await this.#replay(batchId, new Map());
    if (search !== null) await search();
  }

  async #replay(batchId: string, inHand: Chunks): Promise<Search | null> {
    const batch = await this.#ledger.batch(batchId);
    if (batch === null || batch.stored) return null; // only stored batches are ever dropped from the ledger
    const chunks = await this.#withSiblings(batch, inHand);
    const isWhole = batch.chunks.every((chunk) => chunk.rows === 0 || chunks.has(chunk.id));
    const isFresh = batch.ageMs <= this.#options.tokenWindowMs;
    if (isWhole && isFresh) return this.#store(batch, chunks, { replayed: true });
    return this.#storeAfterAsking(batch, chunks);
  }

  /** A stored chunk is not sent again. A chunk that is neither stored nor queued is lost, and this is logged. */
  async #storeAfterAsking(batch: SealedBatch, chunks: Map<string, Chunk>): Promise<Search | null> {
    const { store, retries, events } = this.#options;
    const ids = batch.chunks.map((chunk) => chunk.id);
    const counts = await retries.store.keepTrying(() => store.countByChunk(ids));
    const before = storedBefore(batch, counts);
    const lost = before.absentChunks.filter((id) => !chunks.has(id));
    if (lost.length > 0 && (await this.#ledger.lose(batch.id, lost))) events.chunksLost(batch.id, lost);
    for (const id of before.storedChunks) chunks.delete(id);
    return this.#store(batch, chunks, { replayed: true, isStored: before.isStored });
  }

  async #store(
    batch: SealedBatch,
    chunks: Chunks,
    { replayed, isStored }: StoreAttempt,
  ): Promise<Search | null> {
    const beganMs = this.#options.now();
    const settle = () => this.#settle(batch, { replayed, beganMs });
    let search: Search | null;
    if (batch.fragments.length > 0) {
      const held = { chunks, repeated: true };
      search = () => this.#searchAlone(batch, held, (refused) => refused.finish(isStored));
    } else search = await this.#insertWhole(batch, chunks, replayed);
    if (search !== null) return () => search().then(settle);
    await settle();
    return null;
  }

  async #settle(
    batch: SealedBatch,
    { replayed, beganMs }: { replayed: boolean; beganMs: number },
  ): Promise<void> {
    if (!(await this.#ledger.stored(batch.id))) return;
    const { id: batchId, rows } = batch;
    const durationMs = this.#options.now() - beganMs;
    const chunkIds = batch.chunks.map((chunk) => chunk.id);
    this.#options.events.batchStored({ batchId, rows, chunkIds, durationMs, replayed });
  }

  async #insertWhole(batch: SealedBatch, chunks: Chunks, replayed: boolean): Promise<Search | null> {
    const refusal = await this.#refusalOfWhole(batch, chunks, replayed);
    if (refusal === null) return null;
    this.#options.events.insertRefused(batch.id, refusal);
    return () =>
      this.#searchAlone(batch, { chunks, repeated: replayed }, async (refused) => {
        await refused.refuse(refusal);
        await refused.finish();
      });
  }

  async #searchAlone(
    batch: SealedBatch,
    held: HeldRows,
    search: (refused: RefusedBatch) => Promise<void>,
  ): Promise<void> {
    const before = this.#lastSearch;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#lastSearch = promise;
    await before;
    try {
      await search(await this.#openRefused(batch, held));
    } finally {
      resolve();
    }
  }

  async #refusalOfWhole(batch: SealedBatch, chunks: Chunks, repeated: boolean): Promise<Refusal | null> {
    const frames = new Map([...chunks].map(([id, chunk]) => [id, chunk.frame]));
    const body = await batchBody(batch, frames).catch(() => null);
    if (body === null) return unreadable;
    if (body.length === 0) return null;
    const isDone = async () => (await this.#ledger.batch(batch.id))?.stored !== false;
    const rows = rowsOf(batch, chunks);
    const outcome = await this.#insert({ body, token: batch.id, rows, repeated, isCountExact: true, isDone });
    return outcome.kind === 'data' ? outcome : null;
  }

  #insert(insert: SureInsert) {
    const { store, retries, events } = this.#options;
    const onVanished = (token: string) => events.rowsVanished(token);
    return insertSurely({ store, retries: retries.store, onVanished }, insert);
  }

  #openRefused(batch: SealedBatch, { chunks, repeated }: HeldRows): Promise<RefusedBatch> {
    const { newId, events, mostInsertsPerBatch: mostInserts = 200 } = this.#options;
    const insert = (part: PartInsert) =>
      this.#insert({ ...part, repeated, isCountExact: false, isDone: async () => false });
    return RefusedBatch.open({ ledger: this.#ledger, insert, newId, events, mostInserts }, batch, chunks);
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

  #tellDropped({ id, chunks }: NonNullable<SealOutcome['won']>): void {
    const rows = chunks.flatMap((chunk) => chunk.drops).reduce((sum, drop) => sum + drop.count, 0);
    if (rows > 0) this.#options.events.rowsDeduplicated(id, rows);
  }
}

type Step = () => Promise<Search | null>;

/** Runs the steps in order up to the first that needs a search. The search then runs the others. */
async function untilSearch(steps: readonly Step[]): Promise<Search | null> {
  for (const [at, step] of steps.entries()) {
    const search = await step();
    if (search === null) continue;
    return async () => {
      await search();
      const next = await untilSearch(steps.slice(at + 1));
      if (next !== null) await next();
    };
  }
  return null;
}

function rowsOf(batch: SealedBatch, chunks: Chunks): Map<string, number> {
  const sent = batch.chunks.filter((chunk) => chunk.rows > 0 && chunks.has(chunk.id));
  return new Map(sent.map(({ id, rows }) => [id, rows]));
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
    stored: retrying(ledger.stored),
    split: retrying(ledger.split),
    fragmentStored: retrying(ledger.fragmentStored),
    buryFragment: retrying(ledger.buryFragment),
    lose: retrying(ledger.lose),
  };
}
