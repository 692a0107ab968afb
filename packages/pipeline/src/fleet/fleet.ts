import { type PostgresSource, type Queryable, usePostgres } from '@tickrate/postgres';
import {
  type InsertBucket,
  type InsertHistoryRequest,
  type InsertRates,
  readInsertHistory,
  readInsertRates,
} from './inserts.ts';

/**
 * The state of the installation: its inserts, workers and disks. Every method is safe to repeat, and rejects with
 * PostgresUnavailable if Postgres does not answer in time.
 */
export interface Fleet {
  /** Of one project, or of all with null. */
  insertRates(projectId: string | null): Promise<InsertRates>;
  /** Inserts with events of a project over time. */
  insertHistory(request: InsertHistoryRequest): Promise<InsertBucket[]>;
  /** Keeps the sample of this minute unless another process did, for a day. Resolves with whether it was kept. */
  keepSample(sample: PipelineSample): Promise<boolean>;
  /** Oldest first. */
  samples(fromMs: number): Promise<PipelineSample[]>;
  /** Also deletes workers that are not shown any more. */
  reportWorker(report: WorkerReport): Promise<void>;
  /** When it stops. */
  forgetWorker(name: string): Promise<void>;
  /** Workers that reported lately: by name, at most 200. */
  workers(): Promise<SeenWorker[]>;
  /** Reports the free space of a store to gateways that cannot read it themselves. */
  reportDisk(store: string, level: DiskLevel): Promise<void>;
  /** The reports of each store in the last minutes. */
  disks(): Promise<Map<string, DiskLevel>>;
  /** The size of this database. */
  databaseBytes(): Promise<number>;
  close(): Promise<void>;
}

/** The pipeline of the installation in one minute. */
export interface PipelineSample {
  readonly atMs: number;
  readonly sample: Readonly<Record<string, unknown>>;
}

/** The report of a worker about itself. */
export interface WorkerReport {
  /** Unique among the running workers. */
  readonly name: string;
  readonly startedMs: number;
  /** The number of rows stored since the previous report. */
  readonly eventsPerSecond: number;
  readonly memoryBytes: number;
}

export interface SeenWorker extends WorkerReport {
  readonly seenMs: number;
}

/** The free space on the disks of a store. */
export interface DiskLevel {
  readonly freeBytes: number;
  readonly totalBytes: number;
}

export function createFleet(source: PostgresSource): Fleet {
  const { postgres: db, close } = usePostgres(source);
  return {
    insertRates: (projectId) => readInsertRates(db, projectId),
    insertHistory: (request) => readInsertHistory(db, request),
    keepSample: (sample) => keepSample(db, sample),
    samples: (fromMs) => readSamples(db, fromMs),
    reportWorker: (report) => reportWorker(db, report),
    async forgetWorker(name) {
      await db.query('DELETE FROM delivery.workers WHERE name = $1', [name]);
    },
    workers: () => readWorkers(db),
    reportDisk: (store, level) => reportDisk(db, store, level),
    disks: () => readDisks(db),
    async databaseBytes() {
      const rows = await db.query<{ bytes: string }>('SELECT pg_database_size(current_database()) AS bytes');
      return Number(rows[0]?.bytes);
    },
    close,
  };
}

const keptHours = 24;

async function keepSample(db: Queryable, { atMs, sample }: PipelineSample): Promise<boolean> {
  const rows = await db.query(
    `WITH old AS (DELETE FROM delivery.pipeline_samples WHERE at < to_timestamp($1::float8 / 1000) - make_interval(hours => $3))
     INSERT INTO delivery.pipeline_samples (at, sample)
     VALUES (date_trunc('minute', to_timestamp($1::float8 / 1000)), $2) ON CONFLICT DO NOTHING RETURNING at`,
    [atMs, JSON.stringify(sample), keptHours],
  );
  return rows.length === 1;
}

async function readSamples(db: Queryable, fromMs: number): Promise<PipelineSample[]> {
  const rows = await db.query<{ at_ms: number; sample: PipelineSample['sample'] }>(
    `SELECT (extract(epoch FROM at) * 1000)::float8 AS at_ms, sample FROM delivery.pipeline_samples
      WHERE at >= to_timestamp($1::float8 / 1000) ORDER BY at LIMIT 1500`,
    [fromMs],
  );
  return rows.map(({ at_ms: atMs, sample }) => ({ atMs, sample }));
}

/** How long a worker is shown after its last report, if it ended without a final one. */
const shownFor = '15 minutes';

async function reportWorker(db: Queryable, report: WorkerReport): Promise<void> {
  const { name, startedMs, eventsPerSecond, memoryBytes } = report;
  await db.query(
    `WITH old AS (DELETE FROM delivery.workers WHERE seen_at < clock_timestamp() - interval '${shownFor}' AND name <> $1)
     INSERT INTO delivery.workers (name, started_at, events_per_second, memory_bytes, seen_at)
     VALUES ($1, to_timestamp($2::float8 / 1000), $3, $4, clock_timestamp())
     ON CONFLICT (name) DO UPDATE
        SET started_at = excluded.started_at, events_per_second = excluded.events_per_second,
            memory_bytes = excluded.memory_bytes, seen_at = excluded.seen_at`,
    [name, startedMs, eventsPerSecond, memoryBytes],
  );
}

interface WorkerRow {
  readonly name: string;
  readonly started_ms: number;
  readonly events_per_second: number;
  readonly memory_bytes: number;
  readonly seen_ms: number;
}

async function readWorkers(db: Queryable): Promise<SeenWorker[]> {
  const rows = await db.query<WorkerRow>(
    `SELECT name, (extract(epoch FROM started_at) * 1000)::float8 AS started_ms, events_per_second, memory_bytes,
            (extract(epoch FROM seen_at) * 1000)::float8 AS seen_ms
       FROM delivery.workers WHERE seen_at > clock_timestamp() - interval '${shownFor}' ORDER BY name LIMIT 200`,
  );
  return rows.map((row) => ({
    name: row.name,
    startedMs: row.started_ms,
    eventsPerSecond: row.events_per_second,
    memoryBytes: row.memory_bytes,
    seenMs: row.seen_ms,
  }));
}

/** Older reports are ignored. */
const longestAge = '10 minutes';

async function reportDisk(db: Queryable, store: string, { freeBytes, totalBytes }: DiskLevel): Promise<void> {
  await db.query(
    `INSERT INTO delivery.disks (store, free_bytes, total_bytes, read_at) VALUES ($1, $2, $3, clock_timestamp())
     ON CONFLICT (store) DO UPDATE
        SET free_bytes = excluded.free_bytes, total_bytes = excluded.total_bytes, read_at = excluded.read_at`,
    [store, freeBytes, totalBytes],
  );
}

async function readDisks(db: Queryable): Promise<Map<string, DiskLevel>> {
  const rows = await db.query<{ store: string; free: number; total: number }>(
    `SELECT store, free_bytes AS free, total_bytes AS total FROM delivery.disks
      WHERE read_at > clock_timestamp() - interval '${longestAge}'`,
  );
  return new Map(rows.map(({ store, free, total }) => [store, { freeBytes: free, totalBytes: total }]));
}
