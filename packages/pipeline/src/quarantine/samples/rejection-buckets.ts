import type { Queryable } from '@tickrate/postgres';
import type { QuarantineKind } from '../reading/quarantined.ts';

export interface BucketRequest {
  readonly fromMs: number;
  readonly toMs: number;
  readonly bucketSeconds: number;
  readonly type?: string | undefined;
  readonly reason?: string | undefined;
}

export interface RejectionBucket {
  /** The start of the bucket, in UTC. */
  readonly atMs: number;
  readonly kind: QuarantineKind;
  /** Null for events without a type, and for rejected events of too many different types. */
  readonly type: string | null;
  readonly reason: string;
  readonly events: number;
}

/** The limit of buckets in an answer. The newest come first. */
const mostBuckets = 20_000;

/** Counts rejected events and dead letters over time, also deleted ones. Rejected events have a precision of ten minutes. */
export async function readRejectionBuckets(
  db: Queryable,
  projectId: string,
  { fromMs, toMs, bucketSeconds, type, reason }: BucketRequest,
): Promise<RejectionBucket[]> {
  const rows = await db.query<RejectionBucket>(selectBuckets, [
    projectId,
    fromMs,
    toMs,
    bucketSeconds,
    type ?? null,
    reason ?? null,
    mostBuckets,
  ]);
  return rows.toReversed();
}

const bucketOf = (column: string) => `date_bin(make_interval(secs => $4), ${column}, 'epoch')`;
const inRange = (column: string) =>
  `${column} >= to_timestamp($2::float8 / 1000) AND ${column} < to_timestamp($3::float8 / 1000)`;

const selectBuckets = `
  SELECT (extract(epoch FROM found.at) * 1000)::float8 AS "atMs", kind, nullif(type, '') AS type, reason,
         events::float8 AS events FROM (
    SELECT ${bucketOf('b.at')} AS at, 'rejected' AS kind, b.type, b.reason, sum(b.events) AS events
      FROM delivery.rejection_buckets b
     WHERE b.project = $1 AND ${inRange('b.at')}
       AND ($5::text IS NULL OR b.type = $5) AND ($6::text IS NULL OR b.reason = $6)
     GROUP BY 1, b.type, b.reason
    UNION ALL
    SELECT ${bucketOf('q.died_at')}, 'dead', t.type, q.reason, sum(t.rows)
      FROM delivery.dead_letters q,
           LATERAL (SELECT key AS type, value::bigint AS rows FROM jsonb_each_text(q.types)
                    UNION ALL SELECT '', q.rows WHERE q.types = '{}') t
     WHERE q.project = $1 AND ${inRange('q.died_at')}
       AND ($5::text IS NULL OR t.type = $5) AND ($6::text IS NULL OR q.reason = $6)
     GROUP BY 1, t.type, q.reason
  ) AS found ORDER BY at DESC, kind, found.type, reason LIMIT $7`;
