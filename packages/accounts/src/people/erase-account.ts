import type { CountsByType } from '@tickrate/contract';
import type { Queryable } from '@tickrate/postgres';
import { inRealm, ofAccount } from '../store/in-realm.ts';

export interface AccountErasure {
  readonly realm: string;
  readonly accountId: string;
  newId(): string;
  /** What a project does with the events of deleted accounts. */
  modeOf(projectId: string): Promise<'remove' | 'mask'>;
  /** Shown in the certificates: the id of a key or a role, never a name or an address. */
  readonly requestedBy: string;
  /** The statement that requests the erasure of the events; its row contains the `id` of the erasure. */
  statementOf(id: string, request: EventErasure, accountRows: CountsByType): Statement;
}

interface EventErasure {
  readonly projectId: string;
  readonly accountId: string;
  readonly mode: 'remove' | 'mask';
  readonly requestedBy: string;
}

interface Statement {
  readonly sql: string;
  readonly values: readonly unknown[];
}

export interface ErasedAccount {
  /** Rows by kind. */
  readonly removed: CountsByType;
  /** The erasures of its events, one for each project to which it could have sent any. */
  readonly erasures: { readonly id: string; readonly projectId: string }[];
}

export type ErasureOutcome = ErasedAccount | 'unknown' | 'lastAdministrator';

/** In one transaction: deletes all rows and keys of the account, and requests the erasure of its events. */
export async function eraseAccount(tx: Queryable, erasure: AccountErasure): Promise<ErasureOutcome> {
  const { accountId, realm } = erasure;
  const people = inRealm(tx, realm);
  const [account] = await people.rows<{ is_last_owner: boolean }>(lockAccount, [accountId]);
  if (!account) return 'unknown';
  if (account.is_last_owner) return 'lastAdministrator';
  const projects = await people.rows<{ project_id: string }>(projectsOf, [accountId]);
  const [erased] = await people.rows<{ removed: CountsByType }>(
    'SELECT auth.erase_account($2, $1) AS removed',
    [accountId],
  );
  const removed = erased?.removed ?? {};
  const erasures: { id: string; projectId: string }[] = [];
  for (const { project_id: projectId } of projects) {
    const mode = await erasure.modeOf(projectId);
    const request = { projectId, accountId, mode, requestedBy: erasure.requestedBy };
    const { sql, values } = erasure.statementOf(erasure.newId(), request, removed);
    const [asked] = await tx.query<{ id: string }>(sql, values);
    if (asked) erasures.push({ id: asked.id, projectId });
  }
  return { removed, erasures };
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
