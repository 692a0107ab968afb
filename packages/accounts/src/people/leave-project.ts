import type { Queryable } from '@tickrate/postgres';
import { findAdministeredProjects } from '../administrators/roles.ts';
import { type IdsAndClock, writeAudit } from '../records/audit.ts';
import { moveSession } from '../sign-in/session-calls.ts';
import { inRealm } from '../store/in-realm.ts';

export interface ProjectDeletion {
  readonly projectId: string;
  readonly name: string;
  /** The owner who deletes it. */
  readonly accountId: string;
  readonly sessionId: string | null;
  readonly requestId: string;
  readonly clientAddress: string;
}

/**
 * Moves the sessions of administrators out of a project that ended: each to the oldest project that its account administers.
 * Ends those without one. Call it in the transaction that ends the project, after that.
 */
export async function leaveProject(
  deps: IdsAndClock,
  tx: Queryable,
  { name, accountId, ...actor }: ProjectDeletion,
): Promise<void> {
  const people = inRealm(tx, 'installation');
  await writeAudit(deps, people, { actor, accountId, act: 'projectDeleted', details: { name } });
  const sessions = await people.rows<{ id: string; account_id: string }>(
    'SELECT id, account_id FROM auth.sessions WHERE realm = $1 AND project_id = $2 ORDER BY account_id, id',
    [actor.projectId],
  );
  for (const [account, own] of Map.groupBy(sessions, (session) => session.account_id)) {
    const [next] = await findAdministeredProjects(tx, account);
    for (const { id } of own) {
      if (next === undefined) await tx.query('DELETE FROM registry.session_keys WHERE session_id = $1', [id]);
      else await moveSession(people, id, next);
    }
  }
}

const accounts = 'SELECT id FROM auth.accounts WHERE realm = $1';

/**
 * The people of a project that ended, in the order of their removal: each statement deletes at most $2 rows in the project
 * $1, and returns a row for each. The audit keeps who deleted the project.
 */
export const peopleRemoval: readonly { readonly kind: string; readonly sql: string }[] = [
  ['sessionKeys', 'registry.session_keys', 'project_id = $1'],
  ['answers', 'auth.answers', `account_id IN (${accounts})`],
  ['enrolments', 'auth.enrolments', 'exchange_id IN (SELECT id FROM auth.exchanges WHERE project_id = $1)'],
  ['exchanges', 'auth.exchanges', 'project_id = $1'],
  ['mails', 'auth.outbox', 'realm = $1'],
  ['mailTokens', 'auth.mail_tokens', 'realm = $1'],
  ['devices', 'auth.device_secrets', 'realm = $1'],
  ['sessions', 'auth.sessions', 'project_id = $1'],
  ['roles', 'auth.roles', 'project_id = $1'],
  ['invitations', 'auth.invitations', 'project_id = $1'],
  ['members', 'auth.members', 'project_id = $1'],
  ['defaultProjects', 'auth.default_projects', 'project_id = $1'],
  ['signIns', 'auth.audit', "project_id = $1 AND act <> 'projectDeleted'"],
  ['identities', 'auth.identities', 'realm = $1'],
  ['accounts', 'auth.accounts', 'realm = $1'],
].map(([kind = '', table, where]) => ({
  kind,
  sql: `DELETE FROM ${table} WHERE ctid = ANY (ARRAY(SELECT ctid FROM ${table} WHERE ${where} LIMIT $2)) RETURNING 1`,
}));
