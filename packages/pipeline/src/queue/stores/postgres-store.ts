import { setTimeout as delay } from 'node:timers/promises';
import { type ConnectionPool, createConnectionPool, type PgPool } from '@tickrate/postgres';
import {
  createPostgresBackend,
  type Job,
  type PostgresConnectionOptions,
  type PostgresQueueBackend,
  type Processor,
  Queue,
  Worker,
} from 'bullmq';
import type { ParcelJob } from '../chunks/parcel.ts';
import { readPostgresPending } from '../pending/postgres-pending.ts';
import { boundQueueTimes } from './bound-queue-times.ts';
import { migratePostgresQueue } from './postgres-queue-migration.ts';
import {
  jobOptions,
  type PendingChunks,
  type QueueStore,
  type QueueWorker,
  type StoreLevel,
  type StoreOptions,
  type WorkerSettings,
  workerOptions,
} from './queue-store.ts';
import { confirmWithin, QueueUnavailable } from './queue-unavailable.ts';

type PostgresQueue = Queue<
  unknown,
  unknown,
  string,
  unknown,
  unknown,
  string,
  PostgresQueueBackend,
  PostgresConnectionOptions
>;

/** States: new → open → closed. While it is open, the pool reconnects by itself. */
export class PostgresStore implements QueueStore {
  readonly label: string;
  readonly queueNames: readonly string[];
  readonly #options: StoreOptions;
  readonly #pool: PgPool;
  readonly #closePool: () => Promise<void>;
  readonly #queues = new Map<string, PostgresQueue>();

  constructor(options: StoreOptions) {
    this.label = options.label;
    this.queueNames = options.queueNames;
    this.#options = options;
    const { pool, close } = createPool(options);
    this.#pool = pool.setMaxListeners(0); // every queue and every worker has one
    this.#closePool = close;
  }

  ready(): boolean {
    return this.#queues.size === this.queueNames.length;
  }

  /** BullMQ never repeats a first connection that failed, so its objects are created after Postgres has answered. */
  async open(): Promise<void> {
    await migratePostgresQueue(this.#pool);
    for (const name of this.queueNames) {
      if (!this.#queues.has(name)) this.#queues.set(name, await this.#openQueue(name));
    }
  }

  async add(queueName: string, jobs: readonly ParcelJob[]): Promise<void> {
    const queue = this.#queue(queueName);
    const entries = jobs.map(({ id, name, data }) => ({ name, data, opts: { ...jobOptions, jobId: id } }));
    const [first, ...others] = entries;
    if (first !== undefined && others.length === 0) await queue.add(first.name, first.data, first.opts);
    else await queue.addBulk(entries);
  }

  async job(queueName: string, id: string): Promise<Job | null> {
    return ((await this.#queue(queueName).getJob(id)) as Job | undefined) ?? null;
  }

  createWorker(queueName: string, processor: Processor, settings: WorkerSettings): QueueWorker {
    const options = { ...settings, connection: asConnection(this.#pool), ...workerOptions };
    const worker = new Worker(queueName, processor, options, createGatheringBackend);
    // BullMQ adds a listener to the pool for each worker and never removes it, so a replaced worker would stay in
    // memory.
    const listener = this.#pool.listeners('error').at(-1) as (fault: Error) => void;
    return worker.once('closed', () => this.#pool.off('error', listener));
  }

  boundTimes(lockMs: number): Promise<void> {
    return boundQueueTimes(this.#pool, this.queueNames, lockMs);
  }

  async ping(): Promise<void> {
    await confirmWithin(this.#pool.query('SELECT 1'), this.#options.timeoutMs, 'ping');
  }

  /** The bytes of live rows, because the file of a table does not shrink. Payloads are not read. */
  async level(): Promise<StoreLevel> {
    const { rows } = await this.#pool.query<{ depth: string; oldest: string | null; bytes: string | null }>(
      `SELECT count(*) AS depth, min(added_at_ms) AS oldest, sum(pg_column_size(data) + 400) AS bytes
         FROM bullmq.job WHERE queue = ANY($1) AND state <> 'completed'`,
      [this.queueNames],
    );
    const oldest = rows[0]?.oldest ?? null;
    return {
      usedBytes: Number(rows[0]?.bytes ?? 0),
      limitBytes: this.#options.limitBytes ?? defaultLimitBytes,
      depth: Number(rows[0]?.depth ?? 0),
      oldestMs: oldest === null ? null : Number(oldest),
    };
  }

  pending(): Promise<PendingChunks> {
    return readPostgresPending(this.#pool, this.queueNames);
  }

  async close(): Promise<void> {
    await Promise.allSettled(this.#queues.values().map((queue) => queue.close()));
    await this.#closePool();
  }

  async #openQueue(name: string): Promise<PostgresQueue> {
    const options = { connection: asConnection(this.#pool) };
    const queue = new Queue(name, options, createPostgresBackend) as PostgresQueue;
    queue.on('error', this.#options.onFault);
    await confirmWithin(queue.waitUntilReady(), this.#options.timeoutMs, 'opening');
    return queue;
  }

  #queue(name: string): PostgresQueue {
    const queue = this.#queues.get(name);
    if (queue === undefined) throw new QueueUnavailable(`${this.label} is not connected yet`);
    return queue;
  }
}

/** An idle worker that was woken looks for jobs at most so often. */
const wakeEveryMs = 100;

/**
 * Without a distance between them, each job wakes an idle worker, which then asks three times whether there are more.
 * Jobs that arrive within the distance are claimed one after the other, and these questions are asked once.
 */
const createGatheringBackend: typeof createPostgresBackend = (...given) => {
  const backend = createPostgresBackend(...given);
  const waitForJob = backend.waitForJob.bind(backend);
  let wokenMs = Number.NEGATIVE_INFINITY;
  backend.waitForJob = async (blockTimeout) => {
    const woken = await waitForJob(blockTimeout);
    const waitMs = wokenMs + wakeEveryMs - performance.now();
    if (waitMs > 0) await delay(waitMs);
    wokenMs = performance.now();
    return woken;
  };
  return backend;
};

const defaultLimitBytes = 8 * 1024 ** 3;

/**
 * Claims and completions of a consumer may be lost in a power cut, because the ledger recognises chunks that are
 * delivered twice. An added chunk must not be lost, so the producer commits synchronously.
 */
function createPool({ url, queueNames, role, timeoutMs, onFault }: StoreOptions): ConnectionPool {
  const consumer = role === 'consumer';
  return createConnectionPool({
    postgresUrl: url,
    // A producer has a spare connection for one lane while the groups of the other lane are in flight.
    maxConnections: consumer ? 4 + queueNames.length : 2 + queueNames.length,
    timeoutMs,
    queryTimeoutMs: consumer ? 30_000 : timeoutMs,
    name: `tickrate-queue-${role}`,
    settings: { search_path: 'bullmq', synchronous_commit: consumer ? 'off' : 'on' },
    onFault,
  });
}

/**
 * BullMQ declares its own type of a pool. The driver's pool has everything that BullMQ calls, but not all of the
 * declared overloads.
 */
function asConnection(pool: PgPool): PostgresConnectionOptions {
  return pool as unknown as PostgresConnectionOptions;
}
