import type { Postgres, Queryable } from '@tickrate/postgres';
import { endSessionsInProject, setRoleOfSessions } from './members.ts';
import type { Administrator } from './roles.ts';

/** A role that a group of the identity provider gives, in one project or, with null, in all of them. */
export interface GroupRole {
  readonly role: string;
  readonly projectId: string | null;
}

interface Following {
  readonly accountId: string;
  /** The first one for a project counts. */
  readonly roles: readonly GroupRole[];
  readonly nowMs: number;
  /** In the transaction, for each project in which the role changed: limits what the member leaves behind. */
  readonly limit: (tx: Queryable, member: Administrator) => Promise<void>;
}

/**
 * Gives an administrator the roles of its groups, and takes those that groups gave and give no more, with the sessions
 * in these projects. Roles that a person gave stay as they are.
 */
export function followGroups(db: Postgres, { accountId, roles, nowMs, limit }: Following): Promise<void> {
  return db.transaction(async (tx) => {
    // Waits for sign-ins in progress, so that their sessions end too: see `holdRole`.
    await tx.query('SELECT FROM auth.accounts WHERE id = $1 FOR UPDATE', [accountId]);
    const changed = await tx.query<{ project_id: string; role: string | null }>(
      `WITH wanted AS (
         SELECT DISTINCT ON (p.id) p.id AS project_id, g.role
           FROM unnest($2::text[], $3::text[]) WITH ORDINALITY AS g (project_id, role, place)
           JOIN registry.projects p ON p.deleted IS NULL AND (g.project_id IS NULL OR g.project_id = p.id)
          ORDER BY p.id, g.place),
       taken AS (
         DELETE FROM auth.members m WHERE m.account_id = $1 AND m.by_group
            AND NOT EXISTS (SELECT FROM wanted w WHERE w.project_id = m.project_id)
         RETURNING m.project_id),
       given AS (
         INSERT INTO auth.members AS m (project_id, account_id, role, granted, by_group)
         SELECT project_id, $1, role, $4, true FROM wanted
         ON CONFLICT (project_id, account_id) DO UPDATE SET role = excluded.role, granted = excluded.granted
          WHERE m.by_group AND m.role <> excluded.role
         RETURNING m.project_id, m.role)
       SELECT project_id, NULL AS role FROM taken UNION ALL SELECT project_id, role FROM given ORDER BY project_id`,
      [accountId, roles.map(({ projectId }) => projectId), roles.map(({ role }) => role), new Date(nowMs)],
    );
    for (const { project_id: projectId, role } of changed) {
      const member = { accountId, projectId };
      if (role === null) await endSessionsInProject(tx, { ...member, nowMs });
      else await setRoleOfSessions(tx, { ...member, role });
      await limit(tx, member);
    }
  });
}
