import {
  endOtherSessions,
  endSession,
  listSessions,
  readSession,
  renewSession,
  type SessionRow,
  signOut,
  switchProject,
} from '@tickrate/accounts';
import { createNamedId, systemError } from '@tickrate/contract';
import { selfOf, sessionRoute } from '../callers/caller.ts';
import { answerSession, withUnknownMembers } from '../sign-in/answer.ts';
import { installationRealm } from '../sign-in/sign-in.ts';
import { sessionOperations as operations } from './session-operations.ts';

/** Answers like a completed sign-in. A project of others gets the same answer as an unknown one. */
export const switchTo = sessionRoute(operations.switchProject, async ({ accounts }, call) => {
  if (call.session.realm !== installationRealm) throw systemError('notPermitted');
  const moved = await switchProject(accounts, selfOf(call), call.body.projectId);
  const exchangeId = createNamedId('x', accounts.randomBytes);
  const exchange = { exchangeId, exchangeExpiresMs: accounts.now(), tokens: [] };
  const nothingNew = { issuedDevice: null, createdProject: null, recoveryCodes: null };
  const session = await readSession(accounts, moved, call.apiKey);
  const answer = answerSession(exchange, { session, ...nothingNew }, []);
  return withUnknownMembers({ ...answer, created: false }, call.unknownMembers);
});

export const read = sessionRoute(operations.readSession, ({ accounts }, { session, apiKey }) =>
  readSession(accounts, session, apiKey),
);

export const renew = sessionRoute(operations.renewSession, async ({ accounts }, { session, apiKey }) => {
  return readSession(accounts, await renewSession(accounts, session), apiKey);
});

export const list = sessionRoute(operations.listSessions, async ({ accounts }, { session }) => {
  const live = await listSessions(accounts, session);
  return { sessions: live.map((each) => ({ ...summaryOf(each), current: each.id === session.id })) };
});

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

export const end = sessionRoute(operations.endSession, async ({ accounts }, call) => {
  await signOut(accounts, selfOf(call));
  return true as const;
});

export const endOne = sessionRoute(operations.endOneSession, async ({ accounts }, call) => {
  await endSession(accounts, selfOf(call), call.params.id);
  return true as const;
});

export const endOthers = sessionRoute(operations.endOtherSessions, ({ accounts }, call) =>
  endOtherSessions(accounts, selfOf(call)),
);
