import type { Queryable } from '@tickrate/postgres';

export interface DeletedProject {
  readonly projectId: string;
  /** The project to which owners of the installation move who are signed in to the deleted one. */
  readonly nextProjectId: string | null;
}

/** Deletes all personal data of a project: its players, roles, invitations, exchanges and audit trail. */
export async function deleteProjectPeople(
  tx: Queryable,
  { projectId, nextProjectId }: DeletedProject,
): Promise<void> {
  if (nextProjectId !== null) {
    const owners = "SELECT id FROM auth.accounts WHERE realm = 'installation' AND owns_installation";
    for (const table of ['auth.sessions', 'registry.session_keys']) {
      await tx.query(
        `UPDATE ${table} SET project_id = $2 WHERE project_id = $1 AND account_id IN (${owners})`,
        [projectId, nextProjectId],
      );
    }
  }
  await tx.query('DELETE FROM auth.accounts WHERE realm = $1', [projectId]);
  for (const table of ['sessions', 'roles', 'invitations', 'exchanges', 'audit', 'default_projects']) {
    await tx.query(`DELETE FROM auth.${table} WHERE project_id = $1`, [projectId]);
  }
}
