import type { Queryable } from '@tickrate/postgres';

/**
 * Deletes a project with its keys, event types, policies, saved records and audit trail, and the session keys in it. Call
 * it in a transaction. Every process refuses the keys within a second.
 */
export async function deleteProject(tx: Queryable, projectId: string): Promise<void> {
  const ofKeys = 'key_id IN (SELECT id FROM registry.keys WHERE project_id = $1)';
  await tx.query(`DELETE FROM registry.console_key WHERE ${ofKeys}`, [projectId]);
  for (const table of tables)
    await tx.query(`DELETE FROM registry.${table} WHERE project_id = $1`, [projectId]);
  await tx.query('DELETE FROM registry.projects WHERE id = $1', [projectId]);
}

/** Tables that refer to others come first. */
const tables = [
  ...['demo', 'view_faults', 'event_type_versions', 'event_types', 'policies'],
  ...['session_keys', 'acts', 'saved', 'keys'],
];
