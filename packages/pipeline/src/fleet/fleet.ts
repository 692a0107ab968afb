import { type PostgresSource, usePostgres } from '@tickrate/postgres';
import { type InsertHistoryRequest, readInsertHistory, readInsertRates } from './inserts.ts';

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

/**
 * The state of the installation: its inserts, workers and disks. Every method is safe to repeat, and rejects with
 * PostgresUnavailable if Postgres does not answer in time.
 */
export type Fleet = ReturnType<typeof createFleet>;

export function createFleet(source: PostgresSource) {
  const { postgres: db, close } = usePostgres(source);
  return {
    /** Of one project, or of all with null. */
    insertRates: (projectId: string | null) => readInsertRates(db, projectId),
    /** Inserts with events of a project over time. */
    insertHistory: (request: InsertHistoryRequest) => readInsertHistory(db, request),
    /** Keeps the sample of this minute unless another process did, for a day. Resolves with whether it was kept. */
    async keepSample({ atMs, sample }: PipelineSample): Promise<boolean> {
      return (await db.query(insertSample, [atMs, JSON.stringify(sample)])).length === 1;
    },
    /** Oldest first. */
    samples: (fromMs: number) => db.query<PipelineSample>(selectSamples, [fromMs]),
    /** Also deletes workers that are not shown any more. Gateways cannot read the free space of ClickHouse themselves. */
    async reportWorker(
      { name, startedMs, eventsPerSecond, memoryBytes }: WorkerReport,
      disk: DiskLevel | null = null,
    ): Promise<void> {
      const level = [disk?.freeBytes ?? null, disk?.totalBytes ?? null];
      await db.query(insertReport, [name, startedMs, eventsPerSecond, memoryBytes, ...level]);
    },
    /** When it stops. */
    async forgetWorker(name: string): Promise<void> {
      await db.query('DELETE FROM delivery.workers WHERE name = $1', [name]);
    },
    /** Workers that reported lately: by name, at most 200. */
    workers: () => db.query<SeenWorker>(selectWorkers),
    /** The last report for each store. */
    async disks(): Promise<Map<string, DiskLevel>> {
      const rows = await db.query<DiskLevel & { store: string }>(selectDisks);
      return new Map(rows.map(({ store, ...level }) => [store, level]));
    },
    /** The size of this database. */
    async databaseBytes(): Promise<number> {
      const rows = await db.query<{ bytes: number }>(
        'SELECT pg_database_size(current_database())::float8 AS bytes',
      );
      return rows[0]?.bytes ?? 0;
    },
    close,
  };
}

const insertSample = `
  WITH old AS (
    DELETE FROM delivery.pipeline_samples WHERE at < to_timestamp($1::float8 / 1000) - interval '24 hours'
  )
  INSERT INTO delivery.pipeline_samples (at, sample)
  VALUES (date_trunc('minute', to_timestamp($1::float8 / 1000)), $2) ON CONFLICT DO NOTHING RETURNING at`;

const selectSamples = `
  SELECT (extract(epoch FROM at) * 1000)::float8 AS "atMs", sample FROM delivery.pipeline_samples
   WHERE at >= to_timestamp($1::float8 / 1000) ORDER BY at LIMIT 1500`;

/** How long a worker is shown after its last report, if it ended without a final one. */
const shownFor = '15 minutes';

const insertReport = `
  WITH old AS (
    DELETE FROM delivery.workers WHERE seen_at < clock_timestamp() - interval '${shownFor}' AND name <> $1
  ), disk AS (
    INSERT INTO delivery.disks (store, free_bytes, total_bytes, read_at)
    SELECT 'clickhouse', $5::float8, $6::float8, clock_timestamp() WHERE $5::float8 IS NOT NULL
    ON CONFLICT (store) DO UPDATE
       SET free_bytes = excluded.free_bytes, total_bytes = excluded.total_bytes, read_at = excluded.read_at
  )
  INSERT INTO delivery.workers (name, started_at, events_per_second, memory_bytes, seen_at)
  VALUES ($1, to_timestamp($2::float8 / 1000), $3, $4, clock_timestamp())
  ON CONFLICT (name) DO UPDATE
     SET started_at = excluded.started_at, events_per_second = excluded.events_per_second,
         memory_bytes = excluded.memory_bytes, seen_at = excluded.seen_at`;

const selectWorkers = `
  SELECT name, (extract(epoch FROM started_at) * 1000)::float8 AS "startedMs", events_per_second AS "eventsPerSecond",
         memory_bytes AS "memoryBytes", (extract(epoch FROM seen_at) * 1000)::float8 AS "seenMs"
    FROM delivery.workers WHERE seen_at > clock_timestamp() - interval '${shownFor}' ORDER BY name LIMIT 200`;

/** Older reports are ignored. */
const selectDisks = `
  SELECT store, free_bytes AS "freeBytes", total_bytes AS "totalBytes" FROM delivery.disks
   WHERE read_at > clock_timestamp() - interval '10 minutes'`;

/** The state of the installation. */
export const fleetSql = `
-- What is free on the volumes of stores that a gateway cannot read itself.
CREATE TABLE delivery.disks (
  store       text        PRIMARY KEY,
  free_bytes  float8      NOT NULL,
  total_bytes float8      NOT NULL,
  read_at     timestamptz NOT NULL
) WITH (fillfactor = 50);

-- What each worker reports about itself.
CREATE TABLE delivery.workers (
  name              text        PRIMARY KEY,
  started_at        timestamptz NOT NULL,
  events_per_second float8      NOT NULL,
  memory_bytes      float8      NOT NULL,
  seen_at           timestamptz NOT NULL
) WITH (fillfactor = 50);

-- One for each minute.
CREATE TABLE delivery.pipeline_samples (
  at     timestamptz PRIMARY KEY,  -- the start of a minute
  sample jsonb       NOT NULL
);
`;
