import { createNamedId } from '@tickrate/contract';
import { milliseconds, type Queryable } from '@tickrate/postgres';
import type { Accounts } from '../accounts.ts';
import { setPassword } from '../credentials/passwords.ts';
import { insertAccount, isAddressTaken } from '../people/accounts.ts';
import type { Address } from '../people/address.ts';
import { inRealm } from '../store/in-realm.ts';
import type { PageBy } from '../store/page.ts';

interface AdministeredProject {
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

/** The same in pages, oldest first, with more members of each project. */
export function findAdministeredPage(
  db: Queryable,
  { accountId, after, limit }: PageBy<'createdMs'> & { readonly accountId: string },
): Promise<(AdministeredProject & { readonly testMode: boolean; readonly createdMs: number })[]> {
  return db.query<AdministeredProject & { readonly testMode: boolean; readonly createdMs: number }>(
    `SELECT id, name, role, test_mode AS "testMode", ${milliseconds('created')} AS "createdMs" FROM ${administered}
     WHERE $2::timestamptz IS NULL OR (created, id) > ($2, $3)
     ORDER BY created, id LIMIT $4`,
    [accountId, after && new Date(after.createdMs), after?.id ?? null, limit],
  );
}

const administrator = "a.id = $1 AND a.realm = 'installation' AND a.archived IS NULL";

/** Of the account $1. In two parts, so that the projects of a member are found without a scan of all projects. */
const administered = `(
  SELECT p.id, p.name, p.test_mode, p.created, m.role
    FROM auth.accounts a JOIN auth.members m ON m.account_id = a.id JOIN registry.projects p ON p.id = m.project_id
   WHERE ${administrator} AND NOT a.owns_installation AND p.deleted IS NULL
  UNION ALL
  SELECT p.id, p.name, p.test_mode, p.created, 'owner'
    FROM auth.accounts a CROSS JOIN registry.projects p WHERE ${administrator} AND a.owns_installation AND p.deleted IS NULL
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

/** An owner of the installation administers every project. */
export async function ownsInstallation(db: Queryable, accountId: string): Promise<boolean> {
  const sql = "SELECT FROM auth.accounts WHERE realm = 'installation' AND id = $1 AND owns_installation";
  return (await db.query(sql, [accountId])).length > 0;
}

/**
 * The administrator that the operator has named: created once, and edited only by its owner afterwards. True if it was
 * created now.
 */
export function ensureInstallationOwner(
  { db, now, randomBytes }: Accounts,
  { address, folded }: Address,
  passwordHash: string,
): Promise<boolean> {
  return db.transaction(async (tx) => {
    const id = createNamedId('u', randomBytes);
    const nowMs = now();
    await tx.query('SELECT pg_advisory_xact_lock(4772905318242)');
    const people = inRealm(tx, 'installation');
    if (await isAddressTaken(people, folded)) return false;
    await insertAccount(people, {
      id,
      nowMs,
      terms: {},
      email: { address, folded, verified: true },
      displayName: null,
      avatarUrl: null,
      locale: null,
      marketing: null,
    });
    await setPassword(people, { accountId: id, hash: passwordHash, nowMs });
    const sql = 'UPDATE auth.accounts SET owns_installation = true WHERE realm = $1 AND id = $2';
    await people.rows(sql, [id]);
    await tx.query('INSERT INTO auth.first_administrator (account_id) VALUES ($1) ON CONFLICT DO NOTHING', [
      id,
    ]);
    return true;
  });
}
