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
  scopeOfRole,
  systemError,
} from '@tickrate/contract';
import { type SessionCall, type SessionCaller, sessionRoute } from '../callers/call.ts';
import { answerSession } from '../sign-in/completing/answer.ts';
import { sessionRecord } from '../sign-in/completing/issue-session.ts';
import { type Ground, installationRealm } from '../sign-in/sign-in.ts';
import type { WriteAudit } from './audited.ts';
import * as operations from './session-operations.ts';

export interface SessionRouteDeps {
  readonly ground: Ground;
  readonly audit: WriteAudit;
}

/** The calls of a session about itself and the other sessions of its account. */
export function createSessionRoutes({ ground, audit }: SessionRouteDeps) {
  const { db, now } = ground;
  const recordOf = async (session: SessionRow, apiKey: string) => {
    const [account] = await findAccounts(inRealm(db, session.realm), [session.account_id]);
    return sessionRecord(session, { account, apiKey, nowMs: now() });
  };

  return {
    switchProject: sessionRoute(operations.switchProject, (call) =>
      switchProject({ ground, audit }, call, recordOf),
    ),

    read: sessionRoute(operations.readSession, ({ session, apiKey }) => recordOf(session, apiKey)),

    renew: sessionRoute(operations.renewSession, async ({ session, apiKey }) => {
      const nowMs = now();
      const expiresMs = nowMs + sessionLimits.renewalMs;
      const renewed = await renewSession(inRealm(db, session.realm), { id: session.id, expiresMs, nowMs });
      if (!renewed) throw systemError('sessionExpired', { invalidSessionId: session.id });
      return recordOf(renewed, apiKey);
    }),

    list: sessionRoute(operations.listSessions, async ({ session }) => {
      const sessions = await listSessions(inRealm(db, session.realm), session.account_id, now());
      return { sessions: sessions.map((each) => ({ ...summaryOf(each), current: each.id === session.id })) };
    }),

    end: sessionRoute(operations.endSession, (call) => endSession({ ground, audit }, call)),
    endOne: sessionRoute(operations.endOneSession, (call) => endOne({ ground, audit }, call)),
    endOthers: sessionRoute(operations.endOtherSessions, (call) => endOthers({ ground, audit }, call)),
  };
}

async function endSession({ ground, audit }: SessionRouteDeps, call: SessionCaller): Promise<true> {
  const { account_id: accountId, id: sessionId, realm } = call.session;
  await ground.db.transaction(async (tx) => {
    const people = inRealm(tx, realm);
    await endSessions(people, { accountId, sessionId, reason: 'signedOut', nowMs: ground.now() });
    await audit(people, call, { act: 'sessionEnded' });
  });
  return true;
}

/** Reads and changes nothing of another account: its sessions are like unknown ones. */
async function endOne(
  { ground, audit }: SessionRouteDeps,
  call: SessionCall<typeof operations.endOneSession>,
): Promise<true> {
  const { account_id: accountId, realm } = call.session;
  const { id: sessionId } = call.params;
  await ground.db.transaction(async (tx) => {
    const people = inRealm(tx, realm);
    const ending = { accountId, sessionId, reason: 'signedOutElsewhere', nowMs: ground.now() };
    if ((await endSessions(people, ending)) === 0)
      throw systemError('objectNotFound', { objectType: 'session', invalidIdentifier: sessionId });
    await audit(people, call, { act: 'sessionEnded', details: { session: sessionId } });
  });
  return true;
}

function endOthers({ ground, audit }: SessionRouteDeps, call: SessionCaller) {
  const { account_id: accountId, id, realm } = call.session;
  return ground.db.transaction(async (tx) => {
    const people = inRealm(tx, realm);
    const nowMs = ground.now();
    const unlinkedDevices = await unlinkDevices(people, { accountId, keepOf: id, nowMs });
    const ending = { accountId, sessionId: null, except: id, reason: 'signedOutElsewhere', nowMs };
    const ended = { ended: await endSessions(people, ending), unlinkedDevices };
    await audit(people, call, { act: 'sessionsEnded', details: ended });
    return ended;
  });
}

function summaryOf(session: SessionRow) {
  return {
    id: session.id,
    projectId: session.project_id,
    role: session.role,
    amr: [...session.amr],
    start: Math.floor(session.started.getTime() / 1000),
    expiry: Math.floor(session.expires.getTime() / 1000),
  };
}

/** Answers like a completed sign-in. A project of others gets the same answer as an unknown one. */
async function switchProject(
  { ground, audit }: SessionRouteDeps,
  call: SessionCall<typeof operations.switchProject>,
  recordOf: (session: SessionRow, apiKey: string) => Promise<SessionRecord>,
): Promise<AuthenticationResponse> {
  const { session, body } = call;
  const { projectId } = body;
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
