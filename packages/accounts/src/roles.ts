import type { Queryable } from './database.ts';

export interface AdministeredProject {
  readonly id: string;
  readonly name: string;
  readonly role: string;
}

/** Roles that let someone in to administer. */
const administrativeRoles = ['owner', 'admin', 'analyst', 'viewer'] as const;

/** What an administrator may open: by membership, or all of it for who owns the installation. */
export function findAdministeredProjects(db: Queryable, accountId: string): Promise<AdministeredProject[]> {
  return db.query<AdministeredProject>(
    `SELECT p.id, p.name, COALESCE(r.role, 'owner') AS role
     FROM auth.accounts a
     CROSS JOIN registry.projects p
     LEFT JOIN LATERAL (
       SELECT role FROM auth.roles r WHERE r.account_id = a.id AND r.project_id = p.id AND r.role = ANY ($2)
       ORDER BY array_position($2::text[], r.role::text) LIMIT 1
     ) r ON true
     WHERE a.id = $1 AND a.realm = 'installation' AND (r.role IS NOT NULL OR a.owns_installation)
     ORDER BY p.created, p.id`,
    [accountId, administrativeRoles],
  );
}

export async function findProjectRoles(db: Queryable, accountIds: readonly string[], projectId: string) {
  const rows = await db.query<{ account_id: string; role: string }>(
    'SELECT account_id, role FROM auth.roles WHERE account_id = ANY ($1) AND project_id = $2 ORDER BY role',
    [accountIds, projectId],
  );
  return Map.groupBy(rows, (row) => row.account_id);
}

export interface Grant {
  readonly accountId: string;
  readonly projectId: string;
  readonly role: string;
  readonly nowMs: number;
}

export async function grantRole(tx: Queryable, { accountId, projectId, role, nowMs }: Grant): Promise<void> {
  await tx.query(
    'INSERT INTO auth.roles (account_id, project_id, role, granted) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING',
    [accountId, projectId, role, new Date(nowMs)],
  );
}

/** Turns the invitations to a proven address into roles; each is good once. */
export async function acceptInvitations(tx: Queryable, accountId: string, nowMs: number): Promise<void> {
  await tx.query(
    `WITH used AS (
       UPDATE auth.invitations i SET used = $2 FROM auth.accounts a
       WHERE a.id = $1 AND a.realm = 'installation' AND a.email_verified IS NOT NULL
         AND i.email_folded = a.email_folded AND i.used IS NULL AND i.expires > $2
       RETURNING i.project_id, i.role)
     INSERT INTO auth.roles (account_id, project_id, role, granted)
     SELECT $1, project_id, role, $2 FROM used ON CONFLICT DO NOTHING`,
    [accountId, new Date(nowMs)],
  );
}

export async function isInvited(db: Queryable, folded: string, nowMs: number): Promise<boolean> {
  const rows = await db.query(
    'SELECT FROM auth.invitations WHERE email_folded = $1 AND used IS NULL AND expires > $2 LIMIT 1',
    [folded, new Date(nowMs)],
  );
  return rows.length > 0;
}

export async function hasAdministrator(db: Queryable): Promise<boolean> {
  const rows = await db.query('SELECT FROM auth.first_administrator');
  return rows.length > 0;
}

/** Fails with a duplicate for everyone but the first. */
export async function becomeFirstAdministrator(tx: Queryable, accountId: string): Promise<void> {
  await tx.query('INSERT INTO auth.first_administrator (account_id) VALUES ($1)', [accountId]);
}

/**
 * The right to make the account's default project, once for ever: others wait here until the first one's transaction
 * has ended, and get false if it made the project.
 */
export async function claimDefaultProject(tx: Queryable, accountId: string): Promise<boolean> {
  const rows = await tx.query(
    'INSERT INTO auth.default_projects (account_id) VALUES ($1) ON CONFLICT DO NOTHING RETURNING account_id',
    [accountId],
  );
  return rows.length > 0;
}

export async function noteDefaultProject(tx: Queryable, accountId: string, projectId: string): Promise<void> {
  await tx.query('UPDATE auth.default_projects SET project_id = $2 WHERE account_id = $1', [
    accountId,
    projectId,
  ]);
}
