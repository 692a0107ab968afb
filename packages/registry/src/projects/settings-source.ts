import type { Queryable } from '@tickrate/postgres';

/**
 * The stored settings of a project. The code that owns the name of a policy knows its schema and opens sealed values.
 */
export interface ProjectSettings {
  readonly testMode: boolean;
  readonly policies: ReadonlyMap<string, object>;
}

interface SettingsRow {
  readonly id: string;
  readonly test_mode: boolean;
  readonly policies: Record<string, object>;
}

const findSettings = `
SELECT p.id, p.test_mode, coalesce(jsonb_object_agg(s.name, s.value) FILTER (WHERE s.name IS NOT NULL), '{}') AS policies
FROM registry.projects p LEFT JOIN registry.policies s ON s.project_id = p.id
WHERE p.id = ANY ($1) GROUP BY p.id`;

export function createSettingsSource(db: Queryable) {
  return async (projectIds: readonly string[]): Promise<ReadonlyMap<string, ProjectSettings>> => {
    const rows = await db.query<SettingsRow>(findSettings, [projectIds]);
    return new Map(
      rows.map(({ id, test_mode: testMode, policies }) => [
        id,
        { testMode, policies: new Map(Object.entries(policies)) },
      ]),
    );
  };
}
