import { createHash } from 'node:crypto';
import { erasureStatement } from '@tickrate/pipeline';
import type { Queryable } from './database.ts';

export interface AccountErasure {
  readonly accountId: string;
  newId(): string;
}

export interface ErasedAccount {
  /** Rows by what they were. */
  readonly removed: Readonly<Record<RemovedKind, number>>;
  /** Of its events, one for each project that it can have sent any to. */
  readonly erasures: readonly { readonly id: string; readonly projectId: string }[];
}

type RemovedKind =
  | 'accounts'
  | 'identities'
  | 'sessions'
  | 'credentials'
  | 'devices'
  | 'mails'
  | 'auditEntriesMadeAnonymous';

export type ErasureOutcome = ErasedAccount | 'unknown' | 'lastAdministrator';

/** Stands for the account in audit rows: the same for all of its rows, and nobody else's. */
export function pseudonymOf(accountId: string): string {
  return `erased-${createHash('sha256').update(accountId).digest('hex').slice(0, 20)}`;
}

/**
 * In one transaction: all rows of the account, its keys, and the request to erase its events. Keys go first, so that
 * when the erasure of events begins no gateway takes any more.
 */
export async function eraseAccount(tx: Queryable, erasure: AccountErasure): Promise<ErasureOutcome> {
  const { accountId } = erasure;
  const [account] = await tx.query<AccountToErase>(lockAccount, [accountId]);
  if (!account) return 'unknown';
  if (account.is_last_owner) return 'lastAdministrator';
  const projects = await tx.query<{ project_id: string }>(projectsOf, [accountId]);
  const removed = await removeRows(tx, account);
  const erasures: { id: string; projectId: string }[] = [];
  for (const { project_id: projectId } of projects) {
    const request = { projectId, accountId, mode: 'remove', requestedBy: 'the account' } as const;
    const { sql, values } = erasureStatement(erasure.newId(), request);
    const [asked] = await tx.query<{ id: string }>(sql, values);
    if (asked) erasures.push({ id: asked.id, projectId });
  }
  return { removed, erasures };
}

interface AccountToErase {
  readonly id: string;
  readonly realm: string;
  readonly email: string | null;
  readonly email_folded: string | null;
  readonly is_last_owner: boolean;
}

const lockAccount = `
  SELECT a.id, a.realm, a.email, a.email_folded, a.owns_installation AND NOT EXISTS (
           SELECT FROM auth.accounts o WHERE o.owns_installation AND o.id <> a.id AND o.archived IS NULL) AS is_last_owner
    FROM auth.accounts a WHERE a.id = $1 FOR UPDATE`;

const projectsOf = `
  SELECT project_id FROM (
    SELECT realm AS project_id FROM auth.accounts WHERE id = $1
    UNION SELECT project_id FROM auth.sessions WHERE account_id = $1
    UNION SELECT project_id FROM auth.roles WHERE account_id = $1) AS known
  WHERE project_id IN (SELECT id FROM registry.projects) ORDER BY project_id`;

async function removeRows(tx: Queryable, account: AccountToErase): Promise<ErasedAccount['removed']> {
  const { id, realm, email_folded: folded } = account;
  const count = async (sql: string, ...values: readonly unknown[]) =>
    (await tx.query(`${sql} RETURNING 1`, values)).length;
  await count('DELETE FROM registry.session_keys WHERE account_id = $1', id);
  await count(
    `DELETE FROM auth.exchanges WHERE second_factors ? $1
       OR session_id IN (SELECT id FROM auth.sessions WHERE account_id = $1)`,
    id,
  );
  const deviceSecrets = await count(
    `DELETE FROM auth.device_secrets WHERE device_id IN (
       SELECT subject FROM auth.identities WHERE account_id = $1 AND provider = 'device')`,
    id,
  );
  // Also to an address that the account has not proven yet; before the tokens, which alone know it.
  const mails = await count(
    `DELETE FROM auth.outbox o WHERE lower(o.recipient) = lower($2)
       OR EXISTS (SELECT FROM auth.mail_tokens m WHERE m.account_id = $1 AND lower(m.email) = lower(o.recipient))`,
    ...[id, account.email],
  );
  const mailTokens = await count(
    'DELETE FROM auth.mail_tokens WHERE account_id = $1 OR (realm = $2 AND email_folded = $3)',
    ...[id, realm, folded],
  );
  await count('UPDATE auth.identities SET moved_from = NULL, moved = NULL WHERE moved_from = $1', id);
  if (realm === 'installation') await removeInvitations(count, id, folded);
  const audit = await count(
    `UPDATE auth.audit SET account_id = $2, session_id = NULL, client_address = '', details = '{}' WHERE account_id = $1`,
    ...[id, pseudonymOf(id)],
  );
  const identities = await count('DELETE FROM auth.identities WHERE account_id = $1', id);
  const sessions = await count('DELETE FROM auth.sessions WHERE account_id = $1', id);
  const devices = await count('DELETE FROM auth.known_devices WHERE account_id = $1', id);
  let credentials = 0;
  for (const table of ['passwords', 'totps', 'recovery_codes']) {
    credentials += await count(`DELETE FROM auth.${table} WHERE account_id = $1`, id);
  }
  const accounts = await count('DELETE FROM auth.accounts WHERE id = $1', id);
  return {
    ...{ accounts, identities, sessions, credentials },
    devices: devices + deviceSecrets,
    mails: mails + mailTokens,
    auditEntriesMadeAnonymous: audit,
  };
}

type Count = (sql: string, ...values: readonly unknown[]) => Promise<number>;

/** That an administrator was the first one, or invited somebody, stays true of nobody in particular. */
async function removeInvitations(count: Count, id: string, folded: string | null): Promise<void> {
  await count('DELETE FROM auth.invitations WHERE email_folded = $1', folded);
  const pseudonym = pseudonymOf(id);
  await count('UPDATE auth.invitations SET invited_by = $2 WHERE invited_by = $1', id, pseudonym);
  await count('UPDATE auth.first_administrator SET account_id = $2 WHERE account_id = $1', id, pseudonym);
}
