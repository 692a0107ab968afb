import type { Queryable } from '@tickrate/postgres';
import { deadWhere, filterValues, rejectedWhere } from '../reading/find-quarantined.ts';
import type { QuarantineFilter } from '../reading/quarantined.ts';

export interface PurgedFromQuarantine {
  readonly rejected: number;
  readonly deadLetters: number;
  /** The rows of these dead letters. They still count as dead. */
  readonly deadRows: number;
}

const purgedAtATime = 500;

/** Deletes the matching entries, except those with a replay in progress. Counts of whole kinds are deleted with their events. */
export async function purgeQuarantined(
  db: Queryable,
  projectId: string | null,
  filter: QuarantineFilter,
): Promise<PurgedFromQuarantine> {
  const values = [...filterValues(projectId, filter), purgedAtATime];
  let [rejected, deadLetters, deadRows] = [0, 0, 0];
  for (let deleted = purgedAtATime; deleted === purgedAtATime; rejected += deleted) {
    const kinds = await db.query<{ events: number }>(deleteRejected, values);
    deleted = kinds.reduce((sum, { events }) => sum + events, 0);
    if (deleted > 0) await db.query('SELECT delivery.mend_kinds($1)', [JSON.stringify(kinds)]);
  }
  for (let deleted = purgedAtATime; deleted === purgedAtATime; deadLetters += deleted) {
    const rows = await db.query<{ rows: number }>(deleteDead, values);
    deleted = rows.length;
    deadRows = rows.reduce((sum, letter) => sum + letter.rows, deadRows);
  }
  const { kind, type, reason, sinceMs, untilMs, ids, state } = filter;
  const isOfWholeKinds = sinceMs === undefined && untilMs === undefined && ids === undefined;
  if (isOfWholeKinds && kind !== 'dead' && state !== 'replayed') {
    await db.query(deleteCounts, [projectId, type ?? null, reason ?? null]);
  }
  return { rejected, deadLetters, deadRows };
}

const isSettled = '(q.replay IS NULL OR q.replayed_at IS NOT NULL)';

const deleteRejected = `
  WITH event AS (
    DELETE FROM delivery.rejected_events WHERE id IN (
      SELECT q.id FROM delivery.rejected_events q WHERE ${rejectedWhere} AND ${isSettled} LIMIT $9)
    RETURNING project, type, version, reason)
  SELECT project, type, version, reason, 0 AS replayed, count(*)::int AS events FROM event GROUP BY 1, 2, 3, 4`;

const deleteDead = `
  DELETE FROM delivery.dead_letters WHERE id IN (
    SELECT q.id FROM delivery.dead_letters q WHERE ${deadWhere} AND ${isSettled} LIMIT $9)
  RETURNING rows`;

const deleteCounts = `
  DELETE FROM delivery.rejections r WHERE ($1::text IS NULL OR r.project = $1)
     AND ($2::text IS NULL OR r.type = $2) AND ($3::text IS NULL OR r.reason = $3)`;
