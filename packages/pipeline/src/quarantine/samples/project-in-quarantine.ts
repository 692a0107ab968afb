import type { CountsByType } from '@tickrate/contract';
import type { Queryable } from '@tickrate/postgres';

export interface ProjectInQuarantine {
  readonly quarantine: CountsByType;
  readonly deadLetters: CountsByType;
}

/** Rows by type. */
export async function countProject(db: Queryable, projectId: string): Promise<ProjectInQuarantine> {
  const [row] = await db.query<ProjectInQuarantine>(countSql, [projectId]);
  return row ?? { quarantine: {}, deadLetters: {} };
}

const countSql = `
  SELECT (SELECT coalesce(jsonb_object_agg(type, n), '{}') FROM (
            SELECT type, count(*) AS n FROM delivery.rejected_events WHERE project = $1 GROUP BY type) AS r) AS quarantine,
         (SELECT coalesce(jsonb_object_agg(key, n), '{}') FROM (
            SELECT t.key, sum(t.value::bigint) AS n FROM delivery.dead_letters, jsonb_each_text(types) AS t
             WHERE project = $1 GROUP BY t.key) AS d) AS "deadLetters"`;

const tables = ['rejected_events', 'dead_letters', 'replays', 'rejections', 'rejection_buckets'];
const removedAtATime = 1_000;

/** Everything of a project, in small steps. Safe to repeat. */
export async function eraseProject(db: Queryable, projectId: string): Promise<void> {
  for (const table of tables) {
    const sql = `DELETE FROM delivery.${table} WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM delivery.${table} WHERE project = $1 LIMIT ${removedAtATime})) RETURNING 1`;
    while ((await db.query(sql, [projectId])).length === removedAtATime);
  }
}
