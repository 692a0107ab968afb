import { type CountsByType, systemError } from '@tickrate/contract';
import type { Queryable } from '@tickrate/postgres';
import type { Accounts } from '../accounts.ts';
import { takeFrom } from '../credentials/throttles.ts';
import { ownerOf, type SessionActor, writeAuditUnlessErased } from '../records/audit.ts';
import { sessionOver } from '../sign-in/sessions.ts';
import { inRealm, ofAccount } from '../store/in-realm.ts';
import { type AccountData, readAccountData } from './account-data.ts';

const exportsAllowed = { burst: 3, perSecond: 3 / 3_600 };

/** Throws 2004 if the account is gone already, and 6002 after too many exports. */
export async function exportAccount(accounts: Accounts, by: SessionActor): Promise<AccountData> {
  const { db, keyring, now } = accounts;
  const { account_id: accountId, realm } = by.session;
  const asked = { bucket: keyring.mac('export', accountId), allowance: exportsAllowed };
  const waitMs = await takeFrom(db, [asked], now());
  // Clients sleep for the whole delay of 6002, so the answer never names more than a minute.
  if (waitMs !== null)
    throw systemError('rateLimited', { retryAfterSeconds: Math.min(60, Math.ceil(waitMs / 1_000)) });
  await writeAuditUnlessErased(accounts, inRealm(db, realm), { ...ownerOf(by), act: 'accountExported' });
  const data = await db.transaction((tx) => readAccountData(tx, { realm, accountId }));
  if (data === null) throw sessionOver(by.session);
  return data;
}

interface EventErasure {
  readonly projectId: string;
  readonly accountId: string;
  readonly mode: 'remove' | 'mask';
  /** Shown in the certificates: the id of a key or a role, never a name or an address. */
  readonly requestedBy: string;
}

interface EventErasures {
  /** What a project does with the events of deleted accounts. */
  modeOf(tx: Queryable, projectId: string): Promise<EventErasure['mode']>;
  /** The statement that requests the erasure of the events; its row contains the `id` of the erasure. */
  statementOf(
    id: string,
    request: EventErasure,
    accountRows: CountsByType,
  ): { readonly sql: string; readonly values: readonly unknown[] };
}

interface ErasedAccount {
  readonly removed: CountsByType;
  /** The erasures of its events, one for each project to which it could have sent any. */
  readonly erasures: { readonly id: string; readonly projectId: string }[];
}

/**
 * Deletes all rows and keys of the account, and requests the erasure of its events, or does neither. Throws 2004 if
 * it is gone already, and 3002 for the last owner of the installation.
 */
export function eraseAccount(
  accounts: Accounts,
  by: SessionActor,
  { modeOf, statementOf }: EventErasures,
): Promise<ErasedAccount> {
  return accounts.db.transaction(async (tx) => {
    const { account_id: accountId, realm } = by.session;
    const people = inRealm(tx, realm);
    const [account] = await people.rows<{ is_last_owner: boolean }>(lockAccount, [accountId]);
    if (!account) throw sessionOver(by.session);
    if (account.is_last_owner)
      throw systemError('objectNotEditable', { objectNotEditableReason: 'lastAdministrator' });
    await writeAuditUnlessErased(accounts, people, { ...ownerOf(by), act: 'accountErased' });
    const projects = await people.rows<{ project_id: string }>(projectsOf, [accountId]);
    const [erased] = await people.rows<{ removed: CountsByType }>(
      'SELECT auth.erase_account($2, $1) AS removed',
      [accountId],
    );
    const removed = erased?.removed ?? {};
    const erasures: { id: string; projectId: string }[] = [];
    for (const { project_id: projectId } of projects) {
      const request = { projectId, accountId, mode: await modeOf(tx, projectId), requestedBy: 'the account' };
      const { sql, values } = statementOf(accounts.newId(), request, removed);
      const [asked] = await tx.query<{ id: string }>(sql, values);
      if (asked) erasures.push({ id: asked.id, projectId });
    }
    return { removed, erasures };
  });
}

const lockAccount = `
  SELECT a.owns_installation AND NOT EXISTS (
           SELECT FROM auth.accounts o WHERE o.owns_installation AND o.id <> a.id AND o.archived IS NULL) AS is_last_owner
    FROM auth.accounts a WHERE a.realm = $1 AND a.id = $2 FOR UPDATE`;

const projectsOf = `
  SELECT project_id FROM (
    SELECT realm AS project_id FROM auth.accounts WHERE realm = $1 AND id = $2
    UNION SELECT project_id FROM auth.sessions WHERE realm = $1 AND account_id = $2
    UNION SELECT project_id FROM auth.roles WHERE ${ofAccount}
    UNION SELECT project_id FROM auth.members WHERE realm = $1 AND account_id = $2) AS known
  WHERE project_id IN (SELECT id FROM registry.projects) ORDER BY project_id`;
