import type { Queryable } from '@tickrate/postgres';

/**
 * The inserts of all workers in the last minute, and the batches that wait for theirs: those with events of one project,
 * or all.
 */
export interface InsertRates {
  /** The number of stored events of the project, or of all projects. */
  readonly events: number;
  readonly inserts: number;
  /** From the seal of a batch until it was stored, retries included. Null without an insert. */
  readonly meanSeconds: number | null;
  readonly p99Seconds: number | null;
  /** Batches that are sealed and not stored. */
  readonly openInserts: number;
  readonly oldestOpenSeconds: number | null;
}

export interface InsertHistoryRequest {
  readonly projectId: string;
  readonly fromMs: number;
  readonly bucketSeconds: number;
}

/** Inserts with events of one project in a stretch of time. */
export interface InsertBucket {
  readonly atMs: number;
  /** Stored events of the project. */
  readonly events: number;
  readonly inserts: number;
  readonly meanSeconds: number;
}

export const rateSeconds = 60;
/** Batches that took longer than this to be stored are not counted. Ids begin with the time, so only recent ones are read. */
const longestMs = 15 * 60 * 1_000;

export async function readInsertRates(db: Queryable, projectId: string | null): Promise<InsertRates> {
  const [rates] = await db.query<InsertRates>(selectRates, [projectId, rateSeconds, longestMs]);
  if (rates === undefined) throw new Error('the rates of inserts have no row');
  return rates;
}

const selectRates = `
  WITH begun AS (
    SELECT (lpad(to_hex((extract(epoch FROM clock_timestamp()) * 1000)::bigint - $3), 12, '0') || repeat('0', 20))::uuid AS id
  ), recent AS (
    SELECT b.kept, b.projects, greatest(0, extract(epoch FROM b.stored_at - b.sealed_at))::float8 AS seconds
      FROM delivery.batches b
     WHERE b.day >= (SELECT delivery.day_of(id) FROM begun) AND b.id >= (SELECT id FROM begun) AND b.rows > 0
       AND b.stored_at > clock_timestamp() - make_interval(secs => $2)
       AND ($1::text IS NULL OR $1 = ANY (b.projects))
  ), open AS (
    SELECT sealed_at FROM delivery.batches
     WHERE stored_at IS NULL AND ($1::text IS NULL OR $1 = ANY (projects))
  )
  SELECT coalesce((SELECT sum(part.rows) FROM recent, unnest(kept, projects) AS part(rows, project)
                    WHERE $1::text IS NULL OR part.project = $1), 0)::float8 AS events,
         count(*)::float8 AS inserts,
         avg(seconds) AS "meanSeconds",
         percentile_disc(0.99) WITHIN GROUP (ORDER BY seconds) AS "p99Seconds",
         (SELECT count(*) FROM open)::float8 AS "openInserts",
         (SELECT greatest(0, extract(epoch FROM clock_timestamp() - min(sealed_at))) FROM open HAVING count(*) > 0)::float8
           AS "oldestOpenSeconds"
    FROM recent`;

/** Oldest first, without empty buckets. Ids begin with the time, so only the batches since then are read. */
export function readInsertHistory(
  db: Queryable,
  { projectId, fromMs, bucketSeconds }: InsertHistoryRequest,
): Promise<InsertBucket[]> {
  return db.query(selectInserts, [projectId, fromMs, bucketSeconds]);
}

const selectInserts = `
  WITH begun AS (
    SELECT (lpad(to_hex($2::bigint), 12, '0') || repeat('0', 20))::uuid AS id
  ), inserts AS (
    SELECT date_bin(make_interval(secs => $3), b.stored_at, 'epoch') AS at,
           greatest(0, extract(epoch FROM b.stored_at - b.sealed_at))::float8 AS seconds,
           (SELECT sum(part.rows) FROM unnest(b.kept, b.projects) AS part(rows, project) WHERE part.project = $1) AS events
      FROM delivery.batches b
     WHERE b.day >= (SELECT delivery.day_of(id) FROM begun) AND b.id >= (SELECT id FROM begun)
       AND b.rows > 0 AND b.stored_at IS NOT NULL AND $1 = ANY (b.projects)
  )
  SELECT (extract(epoch FROM at) * 1000)::float8 AS "atMs", coalesce(sum(events), 0)::float8 AS events,
         count(*)::float8 AS inserts, avg(seconds) AS "meanSeconds"
    FROM inserts GROUP BY at ORDER BY at LIMIT 1500`;
