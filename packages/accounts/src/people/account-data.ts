import type { Queryable } from '@tickrate/postgres';
import { inRealm, ofAccount } from '../store/in-realm.ts';

/** The data of an account for its owner, by the name of the list. Secrets and their hashes are never read. */
const lists = {
  identities: `SELECT provider, tenant, subject, display_name AS "displayName", linked, last_used AS "lastUsed"
    FROM auth.identities WHERE realm = $1 AND account_id = $2 ORDER BY linked, id`,
  sessions: `SELECT id, project_id AS "projectId", role, amr, started, proven, expires, ended, end_reason AS "endReason",
      client_address AS "clientAddress", metered
    FROM auth.sessions WHERE realm = $1 AND account_id = $2 ORDER BY started, id`,
  devices: `SELECT name, seen, trusted_until AS "trustedUntil" FROM auth.known_devices
    WHERE ${ofAccount} ORDER BY seen`,
  roles: `SELECT project_id AS "projectId", role, granted FROM (
      SELECT account_id, project_id, role, granted FROM auth.roles
      UNION ALL SELECT account_id, project_id, role, granted FROM auth.members) AS r
    WHERE ${ofAccount} ORDER BY granted`,
  mails: `SELECT m.subject, m.sent FROM auth.outbox m JOIN auth.accounts a ON m.account_id = a.id OR lower(a.email) = lower(m.recipient)
    WHERE m.realm = $1 AND a.realm = $1 AND a.id = $2 ORDER BY m.sent`,
  audit: `SELECT at, act, project_id AS "projectId", session_id AS "sessionId", client_address AS "clientAddress", details
    FROM auth.audit WHERE realm = $1 AND account_id = $2 ORDER BY at, id`,
} as const;

const accountSql = `
  SELECT a.id, a.realm, a.email AS "emailAddress", a.email_verified AS "emailVerified", a.display_name AS "displayName",
         a.avatar_url AS "avatarUrl", a.locale, a.marketing AS "marketingPreferenceOptIn",
         a.marketing_changed AS "marketingPreferenceChanged", a.terms AS "acceptedTerms", a.created,
         (SELECT p.changed FROM auth.passwords p WHERE p.account_id = a.id) AS "passwordChanged",
         (SELECT t.confirmed FROM auth.totps t WHERE t.account_id = a.id) AS "secondFactorConfirmed"
    FROM auth.accounts a WHERE a.realm = $1 AND a.id = $2`;

export interface AccountData {
  readonly account: object;
  readonly lists: Readonly<Record<keyof typeof lists, readonly object[]>>;
}

/** A consistent snapshot; null if the account does not exist. */
export async function readAccountData(
  tx: Queryable,
  { realm, accountId }: { readonly realm: string; readonly accountId: string },
): Promise<AccountData | null> {
  await tx.query('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY');
  const people = inRealm(tx, realm);
  const [account] = await people.rows(accountSql, [accountId]);
  if (!account) return null;
  const read = async (sql: string) => people.rows<object & Record<string, unknown>>(sql, [accountId]);
  return {
    account,
    lists: {
      identities: await read(lists.identities),
      sessions: await read(lists.sessions),
      devices: await read(lists.devices),
      roles: await read(lists.roles),
      mails: await read(lists.mails),
      audit: await read(lists.audit),
    },
  };
}
