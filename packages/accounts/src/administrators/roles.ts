import type { Queryable } from '@tickrate/postgres';
import type { InRealm } from '../store/in-realm.ts';

export interface AdministeredProject {
  readonly id: string;
  readonly name: string;
  readonly role: string;
}

/** The projects of an administrator: by membership, or all of them for an owner of the installation. */
export function findAdministeredProjects(db: Queryable, accountId: string): Promise<AdministeredProject[]> {
  return db.query<AdministeredProject>(`SELECT id, name, role FROM ${administered} ORDER BY created, id`, [
    accountId,
  ]);
}

export interface AdministeredPage {
  readonly accountId: string;
  readonly after: { readonly createdMs: number; readonly id: string } | null;
  readonly limit: number;
}

/** The same in pages, oldest first, with more members of each project. */
export async function findAdministeredPage(
  db: Queryable,
  { accountId, after, limit }: AdministeredPage,
): Promise<(AdministeredProject & { readonly testMode: boolean; readonly createdMs: number })[]> {
  const rows = await db.query<AdministeredProject & { test_mode: boolean; created: Date }>(
    `SELECT * FROM ${administered} WHERE $2::timestamptz IS NULL OR (created, id) > ($2, $3)
     ORDER BY created, id LIMIT $4`,
    [accountId, after && new Date(after.createdMs), after?.id ?? null, limit],
  );
  return rows.map(({ test_mode: testMode, created, ...row }) => ({
    ...row,
    testMode,
    createdMs: created.getTime(),
  }));
}

const administrator = "a.id = $1 AND a.realm = 'installation' AND a.archived IS NULL";

/** Of the account $1. In two parts, so that the projects of a member are found without a scan of all projects. */
const administered = `(
  SELECT p.id, p.name, p.test_mode, p.created, m.role
    FROM auth.accounts a JOIN auth.members m ON m.account_id = a.id JOIN registry.projects p ON p.id = m.project_id
   WHERE ${administrator} AND NOT a.owns_installation
  UNION ALL
  SELECT p.id, p.name, p.test_mode, p.created, 'owner'
    FROM auth.accounts a CROSS JOIN registry.projects p WHERE ${administrator} AND a.owns_installation
) AS administered`;

export interface Administrator {
  readonly accountId: string;
  readonly projectId: string;
}

/** The role of an administrator in one project; null without one, or for an unknown project. */
export async function findRole(
  db: Queryable,
  { accountId, projectId }: Administrator,
): Promise<string | null> {
  const [row] = await db.query<{ role: string }>(`SELECT role FROM ${administered} WHERE id = $2`, [
    accountId,
    projectId,
  ]);
  return row?.role ?? null;
}

/**
 * The same for an account that gets a session now: the role cannot change until the transaction ends, so that a later
 * removal also ends this session.
 */
export async function holdRole(tx: Queryable, administrator: Administrator): Promise<string | null> {
  await tx.query('SELECT FROM auth.accounts WHERE id = $1 FOR KEY SHARE', [administrator.accountId]);
  return findRole(tx, administrator);
}

/** For players: the roles that a project has granted them. */
export async function findProjectRoles(people: InRealm, accountIds: readonly string[], projectId: string) {
  const rows = await people.rows<{ account_id: string; role: string }>(
    `SELECT r.account_id, r.role FROM auth.roles r JOIN auth.accounts a ON a.id = r.account_id AND a.realm = $1
     WHERE r.account_id = ANY ($2) AND r.project_id = $3 ORDER BY r.role`,
    [accountIds, projectId],
  );
  return Map.groupBy(rows, (row) => row.account_id);
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

/** Fails with a duplicate for everyone except the first. */
export async function becomeFirstAdministrator(tx: Queryable, accountId: string): Promise<void> {
  await tx.query('INSERT INTO auth.first_administrator (account_id) VALUES ($1)', [accountId]);
}

/**
 * The right to create the account's default project, once: other transactions wait here until the first one ends, and
 * get false if it created the project.
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

/** An owner of the installation administers every project. */
export async function ownsInstallation(db: Queryable, accountId: string): Promise<boolean> {
  const sql = "SELECT FROM auth.accounts WHERE realm = 'installation' AND id = $1 AND owns_installation";
  return (await db.query(sql, [accountId])).length > 0;
}
