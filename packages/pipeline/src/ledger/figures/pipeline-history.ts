import type { Queryable } from '@tickrate/postgres';

/** The pipeline of the installation in one minute. */
export interface PipelineSample {
  readonly atMs: number;
  readonly sample: Readonly<Record<string, unknown>>;
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

const keptHours = 24;

/** Keeps the sample of this minute unless another process did. Resolves with whether it was kept. */
export async function keepPipelineSample(db: Queryable, { atMs, sample }: PipelineSample): Promise<boolean> {
  const rows = await db.query(
    `WITH old AS (DELETE FROM delivery.pipeline_samples WHERE at < to_timestamp($1::float8 / 1000) - make_interval(hours => $3))
     INSERT INTO delivery.pipeline_samples (at, sample)
     VALUES (date_trunc('minute', to_timestamp($1::float8 / 1000)), $2) ON CONFLICT DO NOTHING RETURNING at`,
    [atMs, JSON.stringify(sample), keptHours],
  );
  return rows.length === 1;
}

/** Oldest first. */
export async function readPipelineSamples(db: Queryable, fromMs: number): Promise<PipelineSample[]> {
  const rows = await db.query<{ at_ms: number; sample: PipelineSample['sample'] }>(
    `SELECT (extract(epoch FROM at) * 1000)::float8 AS at_ms, sample FROM delivery.pipeline_samples
      WHERE at >= to_timestamp($1::float8 / 1000) ORDER BY at LIMIT 1500`,
    [fromMs],
  );
  return rows.map(({ at_ms: atMs, sample }) => ({ atMs, sample }));
}

interface InsertRow {
  readonly at_ms: number;
  readonly events: string;
  readonly inserts: string;
  readonly mean: number;
}

/** Oldest first, without empty buckets. Ids begin with the time, so only the batches since then are read. */
export async function readInsertHistory(
  db: Queryable,
  { projectId, fromMs, bucketSeconds }: InsertHistoryRequest,
): Promise<InsertBucket[]> {
  const rows = await db.query<InsertRow>(selectInserts, [projectId, fromMs, bucketSeconds]);
  return rows.map(({ at_ms: atMs, events, inserts, mean }) => ({
    atMs,
    events: Number(events),
    inserts: Number(inserts),
    meanSeconds: mean,
  }));
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
  SELECT (extract(epoch FROM at) * 1000)::float8 AS at_ms, coalesce(sum(events), 0) AS events, count(*) AS inserts,
         avg(seconds) AS mean
    FROM inserts GROUP BY at ORDER BY at LIMIT 1500`;
