import type pg from 'pg';

/** What a project has set, as it is stored: whoever owns a policy's name knows its shape, and opens what is sealed. */
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

export function createSettingsSource(pool: pg.Pool) {
  return async (projectIds: readonly string[]): Promise<ReadonlyMap<string, ProjectSettings>> => {
    const { rows } = await pool.query<SettingsRow>(findSettings, [projectIds]);
    return new Map(
      rows.map(({ id, test_mode: testMode, policies }) => [
        id,
        { testMode, policies: new Map(Object.entries(policies)) },
      ]),
    );
  };
}
