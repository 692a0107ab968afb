import type { Queryable } from '@tickrate/postgres';

/**
 * The stored settings of a project. The code that owns the name of a policy knows its schema and opens sealed values.
 */
export interface ProjectSettings {
  readonly testMode: boolean;
  readonly policies: ReadonlyMap<string, object>;
}

const findSettings = `
SELECT p.id, p.test_mode AS "testMode", coalesce(jsonb_object_agg(s.name, s.value) FILTER (WHERE s.name IS NOT NULL), '{}') AS policies
FROM registry.projects p LEFT JOIN registry.policies s ON s.project_id = p.id
WHERE p.id = ANY ($1) GROUP BY p.id`;

export function createSettingsSource(db: Queryable) {
  return async (projectIds: readonly string[]): Promise<ReadonlyMap<string, ProjectSettings>> => {
    const rows = await db.query<{ id: string; testMode: boolean; policies: Record<string, object> }>(
      findSettings,
      [projectIds],
    );
    return new Map(
      rows.map(({ id, testMode, policies }) => [
        id,
        { testMode, policies: new Map(Object.entries(policies)) },
      ]),
    );
  };
}
