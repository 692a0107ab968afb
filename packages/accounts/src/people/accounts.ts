import { milliseconds } from '@tickrate/postgres';
import { endSessions } from '../sign-in/sessions.ts';
import { type InRealm, ofAccount } from '../store/in-realm.ts';

/** An account as its owner, its administrators and its sign-in see it. Never a secret. */
export interface Account {
  readonly id: string;
  readonly emailAddress: string | null;
  readonly emailVerified: boolean;
  readonly displayName: string | null;
  readonly avatarUrl: string | null;
  readonly locale: string | null;
  readonly createdMs: number;
  readonly hasPassword: boolean;
  readonly hasSecondFactor: boolean;
  readonly providers: readonly string[];
  /** Including an expired one. */
  readonly ban: Ban | null;
}

interface Ban {
  readonly reason: string;
  readonly sinceMs: number;
  /** Null: forever. */
  readonly expiresMs: number | null;
}

/** The columns of an `Account`; the table is `a`. */
export const accountColumns = `
a.id, a.email AS "emailAddress", a.email_verified IS NOT NULL AS "emailVerified", a.display_name AS "displayName",
a.avatar_url AS "avatarUrl", a.locale, ${milliseconds('a.created')} AS "createdMs",
EXISTS (SELECT FROM auth.passwords p WHERE p.account_id = a.id) AS "hasPassword",
EXISTS (SELECT FROM auth.totps t WHERE t.account_id = a.id) AS "hasSecondFactor",
ARRAY(SELECT DISTINCT i.provider FROM auth.identities i WHERE i.account_id = a.id ORDER BY 1) AS providers,
CASE WHEN a.banned IS NOT NULL THEN json_build_object('reason', coalesce(a.ban_reason, ''),
  'sinceMs', ${milliseconds('a.banned')}, 'expiresMs', ${milliseconds('a.ban_expires')}) END AS ban`;

/** With the answers of its owner. */
export interface OwnAccount extends Account {
  readonly marketing: boolean | null;
  readonly terms: Readonly<Record<string, string>>;
}

/** Accounts of the realm that are not archived. */
export function findAccounts(people: InRealm, ids: readonly string[]): Promise<OwnAccount[]> {
  return people.rows<OwnAccount>(
    `SELECT ${accountColumns}, a.marketing, a.terms FROM auth.accounts a
     WHERE a.realm = $1 AND a.id = ANY ($2) AND a.archived IS NULL ORDER BY a.id`,
    [ids],
  );
}

interface AddressHolder {
  readonly id: string;
  readonly verified: boolean;
  readonly password_hash: string | null;
  /** A rehash of the same password is not a change. */
  readonly password_changed: Date | null;
}

/** The account that has the address in the realm, and the hash of its password. */
export async function findAddress(people: InRealm, folded: string): Promise<AddressHolder | null> {
  const [row] = await people.rows<AddressHolder>(
    `SELECT a.id, a.email_verified IS NOT NULL AS verified, p.hash AS password_hash, p.changed AS password_changed
     FROM auth.accounts a LEFT JOIN auth.passwords p ON p.account_id = a.id
     WHERE a.realm = $1 AND a.email_folded = $2 AND a.archived IS NULL`,
    [folded],
  );
  return row ?? null;
}

/** An archived account keeps its address until it is deleted. */
export async function isAddressTaken(people: InRealm, folded: string): Promise<boolean> {
  const sql = 'SELECT FROM auth.accounts WHERE realm = $1 AND email_folded = $2';
  const rows = await people.rows(sql, [folded]);
  return rows.length > 0;
}

interface NewAccount {
  readonly id: string;
  readonly email: { readonly address: string; readonly folded: string; readonly verified: boolean } | null;
  readonly displayName: string | null;
  readonly avatarUrl: string | null;
  readonly locale: string | null;
  readonly marketing: boolean | null;
  readonly terms: Readonly<Record<string, string>>;
  readonly nowMs: number;
}

export async function insertAccount(people: InRealm, account: NewAccount): Promise<void> {
  const now = new Date(account.nowMs);
  await people.rows(
    `INSERT INTO auth.accounts (realm, id, email, email_folded, email_verified, display_name, avatar_url, locale,
       marketing, marketing_changed, terms, created)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
    [
      account.id,
      account.email?.address ?? null,
      account.email?.folded ?? null,
      account.email?.verified ? now : null,
      account.displayName,
      account.avatarUrl,
      account.locale,
      account.marketing,
      account.marketing === null ? null : now,
      JSON.stringify(account.terms),
      now,
    ],
  );
}

/**
 * Takes an address from an account that never proved it, for one that has. The account loses every sign-in method that a
 * stranger could have prepared, and its sessions.
 */
export async function releaseAddress(people: InRealm, folded: string, nowMs: number): Promise<void> {
  const [row] = await people.rows<{ id: string }>(
    `UPDATE auth.accounts SET email = NULL, email_folded = NULL
     WHERE realm = $1 AND email_folded = $2 AND email_verified IS NULL RETURNING id`,
    [folded],
  );
  if (!row) return;
  await dropCredentials(people, row.id);
  await endSessions(people, { accountId: row.id, sessionId: null, reason: 'addressProven', nowMs });
}

/** Password, second factor and remembered devices. */
export async function dropCredentials(people: InRealm, accountId: string): Promise<void> {
  for (const table of ['passwords', 'totps', 'recovery_codes', 'known_devices']) {
    await people.rows(`DELETE FROM auth.${table} WHERE ${ofAccount}`, [accountId]);
  }
}

/** The account gets the address as a proven one. Fails with a duplicate if another account has proven it. */
export async function setVerifiedEmail(
  people: InRealm,
  { accountId, email, folded, nowMs }: { accountId: string; email: string; folded: string; nowMs: number },
): Promise<void> {
  await people.rows(
    'UPDATE auth.accounts SET email = $3, email_folded = $4, email_verified = $5 WHERE realm = $1 AND id = $2',
    [accountId, email, folded, new Date(nowMs)],
  );
}
