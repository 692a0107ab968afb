import {
  type ConnectionPool,
  createConnectionPool,
  Listener,
  type Listening,
  type PgPool,
} from '@tickrate/postgres';
import { runMigrations } from 'bullmq';
import type { ParcelJob } from '../chunks/parcel.ts';
import { readPostgresPending } from '../pending/postgres-pending.ts';
import { PostgresWorker } from './postgres-worker.ts';
import {
  type PendingChunks,
  type ProcessJob,
  type QueueJob,
  type QueueStore,
  type QueueWorker,
  type StoreLevel,
  type StoreOptions,
  sumQueues,
  type WorkerSettings,
} from './queue-store.ts';
import { confirmWithin } from './queue-unavailable.ts';

/** States: new → open → closed. While it is open, the pool reconnects by itself. */
export class PostgresStore implements QueueStore {
  readonly label: string;
  readonly queueNames: readonly string[];
  readonly #options: StoreOptions;
  readonly #connections: ConnectionPool;
  readonly #listener: Listener;
  readonly #workers: PostgresWorker[] = [];
  #listening: Listening | null = null;
  #isOpen = false;

  constructor(options: StoreOptions) {
    const { url: postgresUrl, onFault, role } = options;
    this.label = options.label;
    this.queueNames = options.queueNames;
    this.#options = options;
    this.#connections = createPool(options);
    this.#listener = new Listener({ postgresUrl, name: `tickrate-queue-${role}`, onFault, pool: this });
  }

  ready(): boolean {
    return this.#isOpen;
  }

  async open(): Promise<void> {
    await migratePostgresQueue(this.#connections.pool);
    this.#isOpen = true;
  }

  async query<Row extends object>(sql: string, values: readonly unknown[] = []): Promise<Row[]> {
    return (await this.#connections.pool.query<Row>(sql, [...values])).rows;
  }

  async add(queueName: string, jobs: readonly ParcelJob[]): Promise<void> {
    await this.query(addJobs, [queueName, JSON.stringify(jobs)]);
  }

  async job(queueName: string, id: string): Promise<QueueJob | null> {
    const sql = 'SELECT id, name, data FROM bullmq.job WHERE queue = $1 AND id = $2';
    const [job] = await this.query<QueueJob>(sql, [queueName, id]);
    return job ?? null;
  }

  createWorker(queueName: string, process: ProcessJob, settings: WorkerSettings): QueueWorker {
    const { pool } = this.#connections;
    const worker = new PostgresWorker({ ...settings, pool, queueName, process });
    this.#workers.push(worker);
    this.#listening ??= this.#listener.listen('bullmq_jobs', (notified) => {
      for (const each of this.#workers) if (notified === null || notified === each.queueName) each.wake();
    });
    return worker;
  }

  /** The workers also look for jobs here: a notification may have been lost. */
  async recover(lockMs: number): Promise<string[]> {
    const rows = await this.query<{ queue: string; stalled: string[] }>(recoverJobs, [
      this.queueNames,
      lockMs,
    ]);
    if (rows.length > 0) for (const worker of this.#workers) worker.wake();
    return rows.flatMap(({ stalled }) => stalled);
  }

  async ping(): Promise<void> {
    await confirmWithin(this.query('SELECT 1'), this.#options.timeoutMs, 'ping');
  }

  /** The bytes of live rows, because the file of a table does not shrink. Payloads are not read. */
  async level(): Promise<StoreLevel> {
    const rows = await this.query<{ queue: string; depth: string; oldest: string; bytes: string }>(
      `SELECT queue, count(*) AS depth, min(added_at_ms) AS oldest, sum(pg_column_size(data) + 400) AS bytes
         FROM bullmq.job WHERE queue = ANY($1) AND state <> 'completed' GROUP BY queue`,
      [this.queueNames],
    );
    const found = new Map(rows.map((row) => [row.queue, row]));
    const queues = this.queueNames.map((name) => {
      const { depth, oldest } = found.get(name) ?? { depth: 0, oldest: null };
      return { depth: Number(depth), oldestMs: oldest === null ? null : Number(oldest) };
    });
    return {
      usedBytes: rows.reduce((sum, { bytes }) => sum + Number(bytes), 0),
      limitBytes: this.#options.limitBytes ?? defaultLimitBytes,
      ...sumQueues(queues),
    };
  }

  pending(): Promise<PendingChunks> {
    return readPostgresPending(this, this.queueNames);
  }

  async close(): Promise<void> {
    await Promise.all([this.#listener.stop(), this.#connections.close()]);
  }
}

/**
 * A notification costs a transaction in each connection of the database that listens. While another job waits, a worker
 * comes in any case.
 */
const addJobs = `
  WITH added AS (
    INSERT INTO bullmq.job (queue, id, seq, name, state, data, added_at_ms)
    SELECT $1, job.id, nextval('bullmq.job_seq'), job.name, 'waiting', job.data, (extract(epoch FROM clock_timestamp()) * 1000)::bigint
      FROM jsonb_to_recordset($2::jsonb) AS job(id text, name text, data jsonb)
    ON CONFLICT DO NOTHING RETURNING id
  )
  SELECT pg_notify('bullmq_jobs', $1)
   WHERE EXISTS (SELECT FROM added)
     AND NOT EXISTS (SELECT FROM bullmq.job WHERE queue = $1 AND state = 'waiting')`;

/**
 * Locks and delays that have ended. Those that end too late were written before the clock was set back. Returns the
 * queues with waiting jobs.
 */
const recoverJobs = `
  WITH clock AS (
    SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now
  ), ended AS (
    SELECT queue, id, state FROM bullmq.job, clock
     WHERE queue = ANY($1)
       AND (state = 'active' AND locked_until_ms NOT BETWEEN now AND now + 2 * $2::bigint
         OR state = 'delayed' AND process_at_ms NOT BETWEEN now AND now + 10000)
       FOR UPDATE OF job SKIP LOCKED
  ), freed AS (
    UPDATE bullmq.job j SET state = 'waiting', lock_token = NULL, locked_until_ms = NULL FROM ended
     WHERE j.queue = ended.queue AND j.id = ended.id
    RETURNING j.queue, j.id, ended.state
  )
  SELECT queue, ARRAY(SELECT id FROM freed WHERE freed.queue = each.queue AND state = 'active') AS stalled
    FROM unnest($1::text[]) AS each(queue)
   WHERE EXISTS (SELECT FROM freed WHERE freed.queue = each.queue)
      OR EXISTS (SELECT FROM bullmq.job WHERE job.queue = each.queue AND state = 'waiting')`;

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
    settings: { synchronous_commit: consumer ? 'off' : 'on' },
    onFault,
  });
}

/**
 * Runs after BullMQ's own migrations, and again after those of another version.
 *
 * - Payloads are compressed already, so Postgres must not compress them again, which doubled the cost of adding.
 * - The table of a queue is vacuumed after a number of rows, not after a share of them.
 */
async function migratePostgresQueue(pool: PgPool): Promise<void> {
  const client = await pool.connect();
  try {
    await runMigrations(client, 'bullmq');
    const { rows } = await client.query<{ tuned: boolean }>(
      `SELECT attstorage = 'e' AS tuned FROM pg_attribute
        WHERE attrelid = 'bullmq.job'::regclass AND attname = 'data'`,
    );
    if (rows[0]?.tuned !== true) await client.query(tuneQueueTables);
  } finally {
    client.release();
  }
}

const tuneQueueTables = `
  ALTER TABLE bullmq.job SET (
    autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_cost_delay = 0,
    toast.autovacuum_vacuum_scale_factor = 0, toast.autovacuum_vacuum_threshold = 20000,
    toast.autovacuum_vacuum_cost_delay = 0);
  ALTER TABLE bullmq.job ALTER COLUMN data SET STORAGE EXTERNAL;`;
