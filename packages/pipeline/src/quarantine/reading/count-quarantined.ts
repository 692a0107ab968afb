import type { Queryable } from '@tickrate/postgres';
import { deadWhere, filterValues, rejectedWhere } from './find-quarantined.ts';
import type { QuarantineFilter, QuarantineKind } from './quarantined.ts';

/** The number of entries of one kind. */
export interface QuarantineCount {
  readonly kind: QuarantineKind;
  readonly projectId: string | null;
  /** Null for events without a type, for rejected events of too many different types, and for unreadable rows. */
  readonly type: string | null;
  /** The version of rejected events, also one that is not declared. Null if none was found or named, and for dead letters. */
  readonly version: number | null;
  readonly reason: string;
  /** The number of rejected events, sampled or not, or of rows of dead letters. */
  readonly events: number;
  /** The number of those that are kept. */
  readonly kept: number;
  /** The number of those that are neither kept nor replayed, whatever the filter selects. They cannot be replayed. */
  readonly unsampled: number;
  readonly firstMs: number;
  readonly lastMs: number;
}

/** By type, version and reason, the most frequent first. A time range selects the kinds of rejected events that occurred in it. */
export function countQuarantined(
  db: Queryable,
  projectId: string | null,
  filter: QuarantineFilter,
): Promise<QuarantineCount[]> {
  return db.query<QuarantineCount>(selectCounts, filterValues(projectId, filter));
}

const selectCounts = `
  SELECT 'rejected' AS kind, r.project AS "projectId", nullif(r.type, '') AS type, nullif(r.version, 0) AS version,
         r.reason, r.events::float8 AS events, coalesce(k.kept, 0)::float8 AS kept,
         greatest(0, r.events - r.replayed - (
           SELECT count(*) FROM delivery.rejected_events q
            WHERE (q.project, q.type, q.version, q.reason) = (r.project, r.type, r.version, r.reason)
              AND q.replayed_at IS NULL))::float8 AS unsampled,
         (extract(epoch FROM r.first_at) * 1000)::float8 AS "firstMs",
         (extract(epoch FROM r.last_at) * 1000)::float8 AS "lastMs"
    FROM delivery.rejections r
    LEFT JOIN (SELECT q.project, q.type, q.version, q.reason, count(*) AS kept
                 FROM delivery.rejected_events q WHERE ${rejectedWhere}
                GROUP BY q.project, q.type, q.version, q.reason) k USING (project, type, version, reason)
   WHERE ($1::text IS NULL OR r.project = $1) AND ($2::text IS NULL OR $2 = 'rejected')
     AND ($3::text IS NULL OR r.type = $3) AND ($4::text IS NULL OR r.reason = $4)
     AND ($5::float8 IS NULL OR r.last_at >= to_timestamp($5 / 1000))
     AND ($6::float8 IS NULL OR r.first_at < to_timestamp($6 / 1000))
  UNION ALL
  SELECT 'dead', q.project, nullif(t.type, ''), NULL, q.reason, sum(t.rows), sum(t.rows), 0,
         (extract(epoch FROM min(q.died_at)) * 1000)::float8, (extract(epoch FROM max(q.died_at)) * 1000)::float8
    FROM delivery.dead_letters q,
         LATERAL (SELECT key AS type, value::bigint AS rows FROM jsonb_each_text(q.types)
                  UNION ALL SELECT '', q.rows WHERE q.types = '{}') t
   WHERE ${deadWhere} AND ($3::text IS NULL OR t.type = $3)
   GROUP BY q.project, t.type, q.reason
   ORDER BY events DESC, "projectId", type NULLS FIRST, version NULLS FIRST, reason`;

/** Rejected events that somebody should mend: those since no sample of their kind waited. */
export interface UnmendedCount {
  /** Null for events without a type, and for those of too many different types. */
  readonly type: string | null;
  readonly reason: string;
  readonly events: number;
}

/** By type and reason, of kinds that were rejected since a time. */
export function countUnmended(db: Queryable, projectId: string, sinceMs: number): Promise<UnmendedCount[]> {
  return db.query<UnmendedCount>(
    `SELECT nullif(type, '') AS type, reason, sum(unmended)::float8 AS events FROM delivery.rejections
      WHERE project = $1 AND unmended > 0 AND last_at >= to_timestamp($2::float8 / 1000) GROUP BY rejections.type, reason`,
    [projectId, sinceMs],
  );
}
