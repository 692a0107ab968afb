import type { Queryable } from '@tickrate/postgres';

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

/** How long a worker is shown after its last report, if it ended without a final one. */
const shownFor = '15 minutes';

/** Also deletes workers that are not shown any more. */
export async function reportWorker(db: Queryable, report: WorkerReport): Promise<void> {
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

export async function forgetWorker(db: Queryable, name: string): Promise<void> {
  await db.query('DELETE FROM delivery.workers WHERE name = $1', [name]);
}

interface WorkerRow {
  readonly name: string;
  readonly started_ms: number;
  readonly events_per_second: number;
  readonly memory_bytes: number;
  readonly seen_ms: number;
}

/** By name, at most 200. */
export async function readWorkers(db: Queryable): Promise<SeenWorker[]> {
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
