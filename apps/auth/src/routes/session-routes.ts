import type { Accounts, SessionRow } from '@tickrate/accounts';
import {
  type AuthenticationResponse,
  createNamedId,
  type RandomBytes,
  systemError,
} from '@tickrate/contract';
import { type SessionCall, selfOf, sessionRoute } from '../callers/call.ts';
import { answerSession, withUnknownMembers } from '../sign-in/completing/answer.ts';
import { installationRealm } from '../sign-in/sign-in.ts';
import * as operations from './session-operations.ts';

export interface SessionRouteDeps {
  readonly accounts: Pick<Accounts, 'sessions'>;
  readonly now: () => number;
  readonly randomBytes: RandomBytes;
}

/** The calls of a session about itself and the other sessions of its account. */
export function createSessionRoutes(deps: SessionRouteDeps) {
  const { sessions } = deps.accounts;
  return {
    switchProject: sessionRoute(operations.switchProject, (call) => switchProject(deps, call)),

    read: sessionRoute(operations.readSession, ({ session, apiKey }) => sessions.recordOf(session, apiKey)),

    renew: sessionRoute(operations.renewSession, async ({ session, apiKey }) => {
      const renewed = await sessions.renew(session);
      if (!renewed) throw systemError('sessionExpired', { invalidSessionId: session.id });
      return sessions.recordOf(renewed, apiKey);
    }),

    list: sessionRoute(operations.listSessions, async ({ session }) => {
      const live = await sessions.list(session);
      return { sessions: live.map((each) => ({ ...summaryOf(each), current: each.id === session.id })) };
    }),

    end: sessionRoute(operations.endSession, async (call) => {
      await sessions.end(selfOf(call));
      return true as const;
    }),
    endOne: sessionRoute(operations.endOneSession, async (call) => {
      const { id } = call.params;
      if ((await sessions.endOne(selfOf(call), id)) === 'ended') return true as const;
      throw systemError('objectNotFound', { objectType: 'session', invalidIdentifier: id });
    }),
    endOthers: sessionRoute(operations.endOtherSessions, async (call) => {
      const outcome = await sessions.endOthers(selfOf(call));
      if (outcome === 'sessionOver')
        throw systemError('sessionExpired', { invalidSessionId: call.session.id });
      return outcome;
    }),
  };
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
  { accounts: { sessions }, now, randomBytes }: SessionRouteDeps,
  call: SessionCall<typeof operations.switchProject>,
): Promise<AuthenticationResponse> {
  const { session, body, apiKey } = call;
  if (session.realm !== installationRealm) throw systemError('notPermitted');
  const moved = await sessions.switchProject(selfOf(call), body.projectId);
  if (moved === 'notPermitted') throw systemError('notPermitted');
  const exchange = { exchangeId: createNamedId('x', randomBytes), exchangeExpiresMs: now(), tokens: [] };
  const nothingNew = { issuedDevice: null, createdProject: null, recoveryCodes: null };
  const record = await sessions.recordOf(moved, apiKey);
  const answer = answerSession(exchange, { session: record, ...nothingNew }, []);
  return withUnknownMembers({ ...answer, created: false }, call.unknownMembers);
}
