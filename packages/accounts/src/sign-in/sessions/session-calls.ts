import { type SessionRecord, scopeOfRole } from '@tickrate/contract';
import type { AccountsDeps } from '../../accounts-deps.ts';
import { holdRole } from '../../administrators/roles.ts';
import { findAccounts } from '../../people/accounts.ts';
import { unlinkDevices } from '../../people/identities.ts';
import { type SessionActor, writeOwnAudit } from '../../records/audit.ts';
import { inRealm } from '../../store/in-realm.ts';
import { inTransaction } from '../../store/in-transaction.ts';
import { sessionRecord } from './issue-session.ts';
import { sessionLimits } from './session-limits.ts';
import {
  endSessions,
  findSession,
  isAlive,
  listSessions,
  lockAccounts,
  placeSession,
  renewSession,
  type SessionRow,
} from './sessions.ts';

export interface OthersEnded {
  readonly ended: number;
  readonly unlinkedDevices: number;
}

/** The calls of a session about itself and the other sessions of its account. */
export function createSessionCalls(deps: AccountsDeps) {
  const { db, now } = deps;
  const inRealmOf = ({ realm }: SessionRow) => inRealm(db, realm);

  return {
    /** By the hash of its key. Also returns a session that has ended. */
    find: (keyHash: Buffer) => findSession(db, keyHash),

    /** With the key that the reader sent, and without the secret. */
    async recordOf(session: SessionRow, apiKey: string): Promise<SessionRecord> {
      const [account] = await findAccounts(inRealmOf(session), [session.account_id]);
      return sessionRecord(session, { account: account ?? null, apiKey, nowMs: now() });
    },

    /** The live sessions of the account. */
    list: (session: SessionRow) => listSessions(inRealmOf(session), session.account_id, now()),

    /** Null when it has ended. */
    renew(session: SessionRow): Promise<SessionRow | null> {
      const nowMs = now();
      const expiresMs = nowMs + sessionLimits.renewalMs;
      return renewSession(inRealmOf(session), { id: session.id, expiresMs, nowMs });
    },

    /** Records nothing if it has ended before. */
    async end(by: SessionActor): Promise<void> {
      const { account_id: accountId, id: sessionId, realm } = by.session;
      await db.transaction(async (tx) => {
        const people = inRealm(tx, realm);
        const ending = { accountId, sessionId, reason: 'signedOut', nowMs: now() };
        if ((await endSessions(people, ending)) > 0)
          await writeOwnAudit(deps, people, { by, act: 'sessionEnded' });
      });
    },

    /** One session of the account. A session of another account is `unknown`, like one that has ended. */
    endOne: (by: SessionActor, sessionId: string): Promise<'ended' | 'unknown'> =>
      db.transaction(async (tx) => {
        const { account_id: accountId, realm } = by.session;
        const people = inRealm(tx, realm);
        const ending = { accountId, sessionId, reason: 'signedOutElsewhere', nowMs: now() };
        if ((await endSessions(people, ending)) === 0) return 'unknown';
        await writeOwnAudit(deps, people, { by, act: 'sessionEnded', details: { session: sessionId } });
        return 'ended';
      }),

    /**
     * Ends the other sessions, and unlinks the devices that did not open this one. `sessionOver`: another call has ended
     * this one meanwhile, and nothing was changed.
     */
    endOthers(by: SessionActor): Promise<OthersEnded | 'sessionOver'> {
      const { account_id: accountId, id, realm } = by.session;
      return db.transaction(async (tx) => {
        const people = inRealm(tx, realm);
        const nowMs = now();
        await lockAccounts(people, [accountId]);
        if (!(await isAlive(people, by.session, nowMs))) return 'sessionOver';
        const unlinkedDevices = await unlinkDevices(people, { accountId, keepOf: id, nowMs });
        const ending = { accountId, sessionId: null, except: id, reason: 'signedOutElsewhere', nowMs };
        const done = { ended: await endSessions(people, ending), unlinkedDevices };
        await writeOwnAudit(deps, people, { by, act: 'sessionsEnded', details: done });
        return done;
      });
    },

    /** Moves an administrator's session. Returns the same for a project of others and an unknown one. */
    switchProject: (by: SessionActor, projectId: string): Promise<SessionRow | 'notPermitted'> =>
      inTransaction<SessionRow | 'notPermitted'>(db, async (tx, rollBack) => {
        const { session } = by;
        const role = await holdRole(tx, { accountId: session.account_id, projectId });
        if (role === null) throw rollBack('notPermitted');
        const people = inRealm(tx, session.realm);
        await placeSession(people, { id: session.id, projectId, scopes: [scopeOfRole(role)] });
        const details = { from: session.project_id, to: projectId };
        await writeOwnAudit(deps, people, { by, act: 'projectSwitched', details });
        return { ...session, project_id: projectId };
      }),
  };
}
