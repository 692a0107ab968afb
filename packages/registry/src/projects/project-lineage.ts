import type { Queryable } from '@tickrate/postgres';

/**
 * The project, the project whose key it was made with, the one whose key made that, and so on; the project alone when
 * an account made it. The first key of a project is made with it and is never deleted.
 */
export async function projectLineage(db: Queryable, projectId: string): Promise<readonly string[]> {
  const [row] = await db.query<{ path: string[] }>(selectLineage, [projectId]);
  return row?.path ?? [projectId];
}

const selectLineage = `
WITH RECURSIVE lineage AS (
  SELECT $1::text COLLATE "C" AS project_id, ARRAY[$1::text COLLATE "C"] AS path
  UNION ALL
  SELECT maker.project_id, lineage.path || maker.project_id
  FROM lineage
  CROSS JOIN LATERAL (
    SELECT parent_id FROM registry.keys WHERE project_id = lineage.project_id ORDER BY created, id LIMIT 1
  ) AS first
  JOIN registry.keys AS maker ON maker.id = first.parent_id
  WHERE maker.project_id <> ALL (lineage.path)
)
SELECT path FROM lineage ORDER BY cardinality(path) DESC LIMIT 1`;
