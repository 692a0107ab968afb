import type { Chunk, MalformedJob } from '../chunks/chunk.ts';
import { decodeParcel, parcelIdOf } from '../chunks/parcel.ts';
import { homeOf, type Lane, laneAt, lanes } from '../stores/lane.ts';
import { createStores, type StoresOptions } from '../stores/open-stores.ts';
import type { QueueJob, QueueStore, StoreLevel } from '../stores/queue-store.ts';
import { asUnavailable, confirmWithin } from '../stores/queue-unavailable.ts';
import { StoreWorker } from './store-worker.ts';

export interface Consumer {
  /** The limit of jobs in progress of each lane, over all shards. */
  readonly slots: Readonly<Record<Lane, number>>;
  /** Returns at once. Takes jobs from each store as soon as the store is reachable. */
  start(): void;
  /** Takes no further jobs of these lanes. Jobs in progress stay locked. */
  hold(held?: readonly Lane[]): Promise<void>;
  release(held?: readonly Lane[]): Promise<void>;
  /** Whether a store answers: its chunks are stored, whatever the others do. */
  healthy(): boolean;
  /** Reads chunks, also those in progress. Null for a chunk that is in no queue. Rejects if a store hangs. */
  find(chunkIds: readonly string[]): Promise<Map<string, Chunk | null>>;
  /** Rejects with QueueUnavailable if a store is away or hangs. */
  levels(): Promise<StoreLevel[]>;
  /**
   * Takes no more jobs, waits for the handlers until the deadline, and closes. Unfinished jobs are delivered again when
   * their locks expire.
   */
  stop(deadlineMs: number): Promise<void>;
}

export interface ConsumerOptions extends StoresOptions {
  /**
   * The limit of chunks in progress of the bulk lane, over all shards of all stores. The express lane has a quarter as
   * many in addition.
   */
  readonly concurrency: number;
  /**
   * Resolves when the chunk is stored. A job is removed when all of its chunks are stored. If this rejects, they are
   * delivered again. It may be called again for a chunk in progress. A chunk uses this share of a slot.
   */
  handle(chunk: Chunk, lane: Lane, share: number): Promise<void>;
  /** Resolves when the unreadable job is kept elsewhere. */
  handleMalformed(job: MalformedJob): Promise<void>;
  /** Milliseconds. Until then, the consumer need not take the few jobs of a calm queue. */
  readonly untilNextBatch?: () => number;
  readonly lockMs?: number;
  readonly stalledIntervalMs?: number;
  /** Called if a lock was lost or a job stalled. The job is delivered twice, which the ledger makes harmless. */
  readonly onRedelivery?: (jobIds: readonly string[]) => void;
}

/** All workers of a queue must use the same interval, because BullMQ limits the check by a key that they share. */
const defaultStalledIntervalMs = 5_000;
const defaultLockMs = 20_000;
/**
 * A consumer's connection waits until its store is back. Reads must not wait that long. ioredis also never answers an
 * INFO that was sent on a connection that broke before it was ready.
 */
const findMs = 30_000;

export function createConsumer(options: ConsumerOptions): Consumer {
  const { onFault = () => undefined, onRedelivery = () => undefined, timeoutMs = 2_000 } = options;
  const stores = createStores(options, 'consumer');
  const queues = stores.length * options.shards;
  const perQueue = slotsOfQueue(options.concurrency / queues);
  const settings = {
    lockDuration: options.lockMs ?? defaultLockMs,
    stalledInterval: options.stalledIntervalMs ?? defaultStalledIntervalMs,
    untilNextBatch: options.untilNextBatch ?? (() => 0),
  };
  const workers = stores.map(
    (store) =>
      new StoreWorker({
        store,
        queueAt(place) {
          const lane = laneAt(place, options.shards);
          return { lane, concurrency: perQueue[lane], process: (job) => handleJob(options, job, lane) };
        },
        settings,
        onFault,
        onRedelivery,
      }),
  );

  return {
    slots: { bulk: perQueue.bulk * queues, express: perQueue.express * queues },
    start() {
      for (const worker of workers) worker.start();
    },
    async hold(held = lanes) {
      await Promise.all(workers.map((worker) => worker.hold(held)));
    },
    async release(held = lanes) {
      await Promise.all(workers.map((worker) => worker.release(held)));
    },
    healthy: () => workers.some((worker) => worker.healthy()),
    async find(ids) {
      const finding = Promise.all(ids.map(async (id) => [id, await findChunk(stores, id)] as const));
      return new Map(await confirmWithin(finding, findMs, 'finding chunks'));
    },
    async levels() {
      const measured = Promise.all(stores.map((store) => store.level()));
      return confirmWithin(measured, 2 * timeoutMs, 'measuring').catch((fault: unknown) => {
        throw asUnavailable(fault);
      });
    },
    async stop(deadlineMs) {
      const closing = Promise.all(workers.map((worker) => worker.close()));
      await confirmWithin(closing, deadlineMs, 'closing the workers').catch(onFault);
      const closed = Promise.allSettled(stores.map((store) => store.close()));
      await confirmWithin(closed, 2_000, 'closing the connections').catch(onFault);
    },
  };
}

function slotsOfQueue(slots: number): Record<Lane, number> {
  return { bulk: Math.max(1, Math.ceil(slots)), express: Math.max(1, Math.ceil(slots / 4)) };
}

async function handleJob(options: ConsumerOptions, job: QueueJob, lane: Lane): Promise<void> {
  const { chunks, malformed } = decodeParcel(job.id ?? '', job.name, job.data);
  // Hundreds of chunks are in progress at a time. From here on, only their bytes are kept in memory, without their
  // text.
  job.data = null;
  const handled = await Promise.allSettled([
    ...chunks.map((chunk) => options.handle(chunk, lane, 1 / chunks.length)),
    ...malformed.map((part) => options.handleMalformed(part)),
  ]);
  const failed = handled.find((result) => result.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}

/**
 * Finds a chunk that is alone in a job or shares one. Reads the home of the chunk first, then the other stores: if its
 * home was away, it was added to another one.
 */
async function findChunk(stores: readonly QueueStore[], id: string): Promise<Chunk | null> {
  const shards = (stores[0]?.queueNames.length ?? lanes.length) / lanes.length;
  const home = homeOf(id, stores.length, shards);
  const places = stores.flatMap((store, storeIndex) =>
    store.queueNames.map((queueName, place) => ({
      store,
      queueName,
      isHome: storeIndex === home.store && place % shards === home.shard,
    })),
  );
  places.sort((a, b) => Number(b.isHome) - Number(a.isHome));
  for (const { store, queueName } of places) {
    const job = (await store.job(queueName, id)) ?? (await store.job(queueName, parcelIdOf(id)));
    if (job === null) continue;
    const { chunks } = decodeParcel(job.id ?? id, job.name, job.data);
    return chunks.find((chunk) => chunk.id === id) ?? null;
  }
  return null;
}
