import type { Queryable } from '@tickrate/postgres';
import type { QuarantinedBrief, QuarantineFilter } from './quarantined.ts';

export interface FoundPage {
  /** Newest first. */
  readonly found: readonly QuarantinedBrief[];
  /** The cursor of the next page. Null on the last page. */
  readonly next: string | null;
}

export interface PageRequest extends QuarantineFilter {
  /** Null means every project, and entries without one. */
  readonly projectId: string | null;
  readonly after?: string | null | undefined;
  readonly limit: number;
}

/** An entry with the first bytes of a rejected event. */
export type BriefRow = Omit<QuarantinedBrief, 'beginning'> & { readonly beginning: Buffer | null };

export async function findQuarantined(db: Queryable, request: PageRequest): Promise<FoundPage> {
  const rows = await db.query<BriefRow>(selectPage, [
    ...filterValues(request.projectId, request),
    request.after ?? null,
    request.limit + 1,
  ]);
  const found = rows.slice(0, request.limit).map(briefOf);
  return { found, next: rows.length > request.limit ? (found.at(-1)?.id ?? null) : null };
}

/** `$1` to `$8` of `rejectedWhere` and `deadWhere`. */
export function filterValues(projectId: string | null, filter: QuarantineFilter): unknown[] {
  const { kind, type, reason, sinceMs, untilMs, state = 'open', ids } = filter;
  return [
    projectId,
    kind ?? null,
    type ?? null,
    reason ?? null,
    sinceMs ?? null,
    untilMs ?? null,
    state,
    ids ?? null,
  ];
}

const commonWhere = `
  ($1::text IS NULL OR q.project = $1) AND ($4::text IS NULL OR q.reason = $4)
  AND ($7::text = 'any' OR ($7 = 'open') = (q.replayed_at IS NULL)) AND ($8::uuid[] IS NULL OR q.id = ANY ($8))`;

export const rejectedWhere = `${commonWhere}
  AND ($2::text IS NULL OR $2 = 'rejected') AND ($3::text IS NULL OR q.type = $3)
  AND ($5::float8 IS NULL OR q.received_ms >= $5) AND ($6::float8 IS NULL OR q.received_ms < $6)`;

export const deadWhere = `${commonWhere}
  AND ($2::text IS NULL OR $2 = 'dead') AND ($3::text IS NULL OR q.types ? $3)
  AND ($5::float8 IS NULL OR q.died_at >= to_timestamp($5 / 1000))
  AND ($6::float8 IS NULL OR q.died_at < to_timestamp($6 / 1000))`;

const stateOf = `
  CASE WHEN q.replayed_at IS NOT NULL THEN 'replayed' WHEN q.replay IS NOT NULL THEN 'replaying' ELSE 'open' END AS state`;

export const rejectedBrief = `
  q.id, 'rejected' AS kind, q.project AS "projectId", nullif(q.type, '') AS type, nullif(q.version, 0) AS version,
  q.reason, q.message, q.pointer, substring(q.raw FROM 1 FOR 2000) AS beginning, 1 AS rows, q.bytes,
  q.received_ms::float8 AS "atMs", ${stateOf}`;

export const deadBrief = `
  q.id, 'dead' AS kind, q.project AS "projectId",
  (SELECT nullif(min(t.type), '') FROM jsonb_object_keys(q.types) AS t(type) HAVING count(*) = 1) AS type,
  NULL::int AS version, q.reason, q.detail AS message, NULL AS pointer, NULL::bytea AS beginning, q.rows,
  octet_length(q.payload) AS bytes, (extract(epoch FROM q.died_at) * 1000)::float8 AS "atMs", ${stateOf}`;

const selectPage = `
  (SELECT ${rejectedBrief} FROM delivery.rejected_events q
    WHERE ${rejectedWhere} AND ($9::uuid IS NULL OR q.id < $9) ORDER BY q.id DESC LIMIT $10)
  UNION ALL
  (SELECT ${deadBrief} FROM delivery.dead_letters q
    WHERE ${deadWhere} AND ($9::uuid IS NULL OR q.id < $9) ORDER BY q.id DESC LIMIT $10)
  ORDER BY id DESC LIMIT $10`;

export function briefOf<Row extends BriefRow>(row: Row) {
  return { ...row, beginning: row.beginning?.toString() ?? null };
}
