import { objectNotFound, type SessionRecord, scopeOfRole, systemError } from '@tickrate/contract';
import type { Accounts } from '../accounts.ts';
import { holdRole } from '../administrators/roles.ts';
import { findAccounts } from '../people/accounts.ts';
import { unlinkDevices } from '../people/identities.ts';
import { type SessionActor, writeOwnAudit } from '../records/audit.ts';
import { type InRealm, inRealm } from '../store/in-realm.ts';
import {
  endSessions,
  findLiveSessions,
  holdSession,
  type SessionRow,
  sessionColumns,
  sessionLimits,
  sessionOver,
  sessionRecord,
} from './sessions.ts';

/** With the key that the reader sent, and without the secret. */
export async function readSession(
  { db, now }: Accounts,
  session: SessionRow,
  apiKey: string,
): Promise<SessionRecord> {
  const [account] = await findAccounts(inRealm(db, session.realm), [session.account_id]);
  return sessionRecord(session, { account: account ?? null, apiKey, nowMs: now() });
}

export function listSessions({ db, now }: Accounts, session: SessionRow): Promise<SessionRow[]> {
  return findLiveSessions(inRealm(db, session.realm), session.account_id, now());
}

/** Never beyond the absolute limit. Throws 2004 when it has ended. */
export async function renewSession({ db, now }: Accounts, session: SessionRow): Promise<SessionRow> {
  const nowMs = now();
  const [row] = await inRealm(db, session.realm).rows<SessionRow>(
    `WITH renewed AS (
       UPDATE auth.sessions SET expires = LEAST($3, absolute_expires)
       WHERE realm = $1 AND id = $2 AND ended IS NULL AND expires > $4 RETURNING ${sessionColumns}),
     keys AS (UPDATE registry.session_keys k SET expires = r.expires FROM renewed r WHERE k.session_id = r.id)
     SELECT ${sessionColumns} FROM renewed`,
    [session.id, new Date(nowMs + sessionLimits.renewalMs), new Date(nowMs)],
  );
  if (!row) throw sessionOver(session);
  return row;
}

/** Ends the session of the caller. Records nothing if it has ended before. */
export function signOut(accounts: Accounts, by: SessionActor): Promise<void> {
  const { account_id: accountId, id: sessionId, realm } = by.session;
  return accounts.db.transaction(async (tx) => {
    const people = inRealm(tx, realm);
    const ending = { accountId, sessionId, reason: 'signedOut', nowMs: accounts.now() };
    if ((await endSessions(people, ending)) > 0)
      await writeOwnAudit(accounts, people, { by, act: 'sessionEnded' });
  });
}

/** Ends one session of the account. Throws 3001 for one of another account, as for one that has ended. */
export function endSession(accounts: Accounts, by: SessionActor, sessionId: string): Promise<void> {
  return accounts.db.transaction(async (tx) => {
    const { account_id: accountId, realm } = by.session;
    const people = inRealm(tx, realm);
    const ending = { accountId, sessionId, reason: 'signedOutElsewhere', nowMs: accounts.now() };
    if ((await endSessions(people, ending)) === 0) throw objectNotFound('session', sessionId);
    await writeOwnAudit(accounts, people, { by, act: 'sessionEnded', details: { session: sessionId } });
  });
}

/** Ends the other sessions, and unlinks the devices that did not open this one. Throws 2004 like `holdSession`. */
export function endOtherSessions(accounts: Accounts, by: SessionActor) {
  const { account_id: accountId, id, realm } = by.session;
  return accounts.db.transaction(async (tx) => {
    const people = inRealm(tx, realm);
    const nowMs = accounts.now();
    await holdSession(people, by.session, nowMs);
    const unlinkedDevices = await unlinkDevices(people, { accountId, keepOf: id, nowMs });
    const ending = { accountId, sessionId: null, except: id, reason: 'signedOutElsewhere', nowMs };
    const done = { ended: await endSessions(people, ending), unlinkedDevices };
    await writeOwnAudit(accounts, people, { by, act: 'sessionsEnded', details: done });
    return done;
  });
}

/** Moves a live session to another project, in the transaction of the caller. */
export async function moveSession(
  people: InRealm,
  sessionId: string,
  { id, role }: { readonly id: string; readonly role: string },
): Promise<void> {
  await people.rows(
    `WITH placed AS (UPDATE auth.sessions SET project_id = $3 WHERE realm = $1 AND id = $2 RETURNING id, project_id)
     UPDATE registry.session_keys k SET project_id = p.project_id, scopes = $4 FROM placed p WHERE k.session_id = p.id`,
    [sessionId, id, [scopeOfRole(role)]],
  );
}

/** Moves an administrator's session. Throws 2005 for a project of others, as for an unknown one. */
export function switchProject(accounts: Accounts, by: SessionActor, projectId: string): Promise<SessionRow> {
  return accounts.db.transaction(async (tx) => {
    const { session } = by;
    const role = await holdRole(tx, { accountId: session.account_id, projectId });
    if (role === null) throw systemError('notPermitted');
    const people = inRealm(tx, session.realm);
    await moveSession(people, session.id, { id: projectId, role });
    const details = { from: session.project_id, to: projectId };
    await writeOwnAudit(accounts, people, { by, act: 'projectSwitched', details });
    return { ...session, project_id: projectId };
  });
}
