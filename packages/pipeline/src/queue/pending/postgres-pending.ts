import type { Queryable } from '@tickrate/postgres';
import { jobNamePattern } from '../chunks/chunk.ts';
import type { Range } from '../chunks/ranges.ts';
import type { PendingChunks, PendingGroup } from '../stores/queue-store.ts';

interface PendingRow {
  readonly project: string | null;
  readonly producer: string | null;
  readonly chunks: string;
  readonly events: string | null;
  readonly starts: readonly string[];
  readonly ends: readonly string[];
}

const selectPending = `
  WITH part AS (
    SELECT part.name, part.name ~ $2 AS known
      FROM bullmq.job CROSS JOIN LATERAL unnest(string_to_array(job.name, ',')) AS part(name)
     WHERE queue = ANY($1) AND state <> 'completed'
  ), chunk AS (
    SELECT CASE WHEN known THEN split_part(name, ':', 1) END AS project,
           CASE WHEN known THEN nullif(split_part(name, ':', 4), '') END AS producer,
           CASE WHEN known THEN split_part(name, ':', 2)::int END AS rows,
           CASE WHEN known THEN nullif(split_part(name, ':', 3), '')::bigint END AS start
      FROM part
  ), pending AS (
    SELECT project, producer, count(*) AS chunks, sum(rows) AS events,
           range_agg(int8range(start, start + rows)) FILTER (WHERE start IS NOT NULL) AS ranges
      FROM chunk GROUP BY project, producer
  )
  SELECT project, producer, chunks, events,
         ARRAY(SELECT lower(r) FROM unnest(ranges) AS r ORDER BY r) AS starts,
         ARRAY(SELECT upper(r) FROM unnest(ranges) AS r ORDER BY r) AS ends
    FROM pending`;

/** Postgres counts the jobs, so a queue of any length can be read. */
export async function readPostgresPending(
  db: Queryable,
  queueNames: readonly string[],
): Promise<PendingChunks> {
  const rows = await db.query<PendingRow>(selectPending, [queueNames, jobNamePattern]);
  const groups: PendingGroup[] = [];
  let chunks = 0;
  for (const row of rows) {
    chunks += Number(row.chunks);
    if (row.project === null) continue;
    const ranges = row.starts.map((start, at): Range => [Number(start), Number(row.ends[at])]);
    groups.push({ projectId: row.project, producer: row.producer, events: Number(row.events), ranges });
  }
  return { chunks, groups, complete: true };
}
