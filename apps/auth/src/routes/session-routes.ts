import {
  endSessions,
  findAccounts,
  holdRole,
  inRealm,
  listSessions,
  placeSession,
  renewSession,
  type SessionRow,
  sessionLimits,
  unlinkDevices,
} from '@tickrate/accounts';
import {
  type AuthenticationResponse,
  createNamedId,
  type SessionRecord,
  type SwitchGiven,
  scopeOfRole,
  systemError,
} from '@tickrate/contract';
import { answerSession } from '../sign-in/answer.ts';
import { sessionRecord } from '../sign-in/issue-session.ts';
import { type Ground, installationRealm } from '../sign-in/sign-in.ts';
import type { WriteAudit } from './audited.ts';
import type { SessionCall } from './call.ts';
import type { ReadMembers } from './read-members.ts';

export interface SessionRouteDeps {
  readonly ground: Ground;
  readonly audit: WriteAudit;
  readonly readSwitch: ReadMembers<SwitchGiven>;
}

/** The endpoints of a session about itself and its siblings. */
export function createSessionRoutes({ ground, audit, readSwitch }: SessionRouteDeps) {
  const { db, now } = ground;
  const recordOf = async (session: SessionRow, apiKey: string) => {
    const [account] = await findAccounts(inRealm(db, session.realm), [session.account_id]);
    return sessionRecord(session, { account, apiKey, nowMs: now() });
  };

  return {
    read: ({ session, apiKey }: SessionCall) => recordOf(session, apiKey),

    async renew({ session, apiKey }: SessionCall) {
      const nowMs = now();
      const expiresMs = nowMs + sessionLimits.renewalMs;
      const renewed = await renewSession(inRealm(db, session.realm), { id: session.id, expiresMs, nowMs });
      if (!renewed) throw systemError('sessionExpired', { invalidSessionId: session.id });
      return recordOf(renewed, apiKey);
    },

    async end(call: SessionCall) {
      const { account_id: accountId, id: sessionId, realm } = call.session;
      await db.transaction(async (tx) => {
        const people = inRealm(tx, realm);
        await endSessions(people, { accountId, sessionId, reason: 'signedOut', nowMs: now() });
        await audit(people, call, { act: 'sessionEnded' });
      });
      return true;
    },

    async list({ session }: SessionCall) {
      const sessions = await listSessions(inRealm(db, session.realm), session.account_id, now());
      return { sessions: sessions.map((each) => ({ ...summaryOf(each), current: each.id === session.id })) };
    },

    async endOthers(call: SessionCall) {
      const { account_id: accountId, id, realm } = call.session;
      const ended = await db.transaction(async (tx) => {
        const people = inRealm(tx, realm);
        const nowMs = now();
        const unlinkedDevices = await unlinkDevices(people, { accountId, keepOf: id, nowMs });
        const ending = { accountId, sessionId: null, except: id, reason: 'signedOutElsewhere', nowMs };
        const ended = { ended: await endSessions(people, ending), unlinkedDevices };
        await audit(people, call, { act: 'sessionsEnded', details: ended });
        return ended;
      });
      return ended;
    },

    switchProject: (call: SessionCall) => switchProject({ ground, audit, readSwitch }, call, recordOf),
  };
}

function summaryOf(session: SessionRow) {
  return {
    id: session.id,
    projectId: session.project_id,
    role: session.role,
    amr: session.amr,
    start: Math.floor(session.started.getTime() / 1000),
    expiry: Math.floor(session.expires.getTime() / 1000),
  };
}

/**
 * Answers as a sign-in that is complete. Another's project is answered exactly like one that does not exist.
 */
async function switchProject(
  { ground, audit, readSwitch }: SessionRouteDeps,
  call: SessionCall,
  recordOf: (session: SessionRow, apiKey: string) => Promise<SessionRecord>,
): Promise<AuthenticationResponse> {
  const { session } = call;
  const { projectId } = await readSwitch(call.request);
  if (session.realm !== installationRealm) throw systemError('notPermitted');
  await ground.db.transaction(async (tx) => {
    const role = await holdRole(tx, { accountId: session.account_id, projectId });
    if (role === null) throw systemError('notPermitted');
    const people = inRealm(tx, session.realm);
    await placeSession(people, { id: session.id, projectId, scopes: [scopeOfRole(role)] });
    await audit(people, call, {
      act: 'projectSwitched',
      details: { from: session.project_id, to: projectId },
    });
  });
  const moved = await recordOf({ ...session, project_id: projectId }, call.apiKey);
  const exchange = {
    exchangeId: createNamedId('x', ground.randomBytes),
    exchangeExpiresMs: ground.now(),
    tokens: [],
  };
  const nothingNew = { issuedDeviceToken: null, createdProject: null, recoveryCodes: null };
  return { ...answerSession(exchange, { session: moved, ...nothingNew }, []), created: false };
}
