import type { Queryable } from '@tickrate/postgres';

export interface ReplayCountRequest {
  readonly type?: string | undefined;
  readonly reason?: string | undefined;
  /** Replays since this time. */
  readonly sinceMs: number;
}

/** Where rejected events are after a replay. Each event is in one of these states. */
export interface ReplayCount {
  /** In quarantine. */
  readonly waiting: number;
  /** Accepted, and not stored yet. */
  readonly queued: number;
  readonly stored: number;
  /** Stored before under the same id, or refused by ClickHouse. */
  readonly leftOut: number;
}

/** The ledger must still know the chunks of these replays, which it does for days. */
export async function countReplays(
  db: Queryable,
  projectId: string,
  { type, reason, sinceMs }: ReplayCountRequest,
): Promise<ReplayCount> {
  const values = [projectId, type ?? null, reason ?? null, new Date(sinceMs)];
  const [row] = await db.query<ReplayCount>(selectCounts, values);
  return row ?? { waiting: 0, queued: 0, stored: 0, leftOut: 0 };
}

const ofFilter =
  'q.project = $1 AND ($2::text IS NULL OR q.type = $2) AND ($3::text IS NULL OR q.reason = $3)';

const selectCounts = `
  WITH chunk AS (
    SELECT q.replay AS id, count(*)::int AS events FROM delivery.rejected_events q
     WHERE ${ofFilter} AND q.replay IS NOT NULL AND q.replayed_at >= $4 GROUP BY q.replay
  ), placed AS (
    SELECT chunk.events, b.stored_at IS NOT NULL AS delivered,
           least(b.kept[array_position(b.chunk_ids, chunk.id)], chunk.events) AS kept
      FROM chunk
      LEFT JOIN delivery.chunks k ON k.day = delivery.day_of(chunk.id) AND k.id = chunk.id
      LEFT JOIN delivery.batches b ON b.day = delivery.day_of(k.batch) AND b.id = k.batch
  )
  SELECT (SELECT count(*)::int FROM delivery.rejected_events q WHERE ${ofFilter} AND q.replayed_at IS NULL) AS waiting,
         coalesce(sum(events) FILTER (WHERE NOT delivered), 0)::int AS queued,
         coalesce(sum(kept) FILTER (WHERE delivered), 0)::int AS stored,
         coalesce(sum(events - kept) FILTER (WHERE delivered), 0)::int AS "leftOut"
    FROM placed`;
