import {
  type AuthenticationRequest,
  type AuthenticationResponse,
  sessionOperations,
  sessionVersions,
} from '@tickrate/contract';
import type { Express } from 'express';
import type { CheckAddress } from '../sign-in/address-rates.ts';
import type { AuthenticateCall } from '../sign-in/authenticate.ts';
import { readIdempotencyKey } from '../sign-in/idempotency-key.ts';
import type { createAccountRoutes } from './account-routes.ts';
import type { AnyCall, Calls, Handler, SessionCall } from './call.ts';
import type { createErasureRoutes } from './erasure-routes.ts';
import type { createMailTokenRoutes } from './mail-token-routes.ts';
import type { ReadCounted } from './read-members.ts';
import type { createSessionRoutes } from './session-routes.ts';
import type { createTwoFactorRoutes } from './two-factor-routes.ts';

export interface RouteParts {
  readonly calls: Calls;
  readonly readAuthentication: ReadCounted<AuthenticationRequest>;
  readonly checkAddress: CheckAddress;
  readonly authenticate: (call: AuthenticateCall) => Promise<AuthenticationResponse>;
  readonly session: ReturnType<typeof createSessionRoutes>;
  readonly account: ReturnType<typeof createAccountRoutes>;
  readonly erasure: ReturnType<typeof createErasureRoutes>;
  readonly twoFactor: ReturnType<typeof createTwoFactorRoutes>;
  readonly mailTokens: ReturnType<typeof createMailTokenRoutes>;
}

/**
 * Mounts every described call below each version. Method, path and kinds of keys come from the description, so the document
 * and the process cannot differ. Throws at the start if a call has no handler, or a handler no call.
 */
export function addRoutes(app: Express, parts: RouteParts): void {
  const { withSession, withAnyKey, withSessionAndResponse } = parts.calls;
  const handlers = new Map<string, Handler>([
    ...Object.entries(anyKeyCalls(parts)).map(([id, work]) => [id, withAnyKey(work)] as const),
    ...Object.entries(sessionCalls(parts)).map(([id, work]) => [id, withSession(work)] as const),
    ['exportAccount', withSessionAndResponse(parts.erasure.export)],
  ]);
  const sessionOnly = new Set(['exportAccount', ...Object.keys(sessionCalls(parts))]);
  for (const { id, method, path, keys } of sessionOperations) {
    const handler = handlers.get(id);
    if (handler === undefined) throw new Error(`The call ${id} has no handler`);
    if (sessionOnly.has(id) === keys.includes('public'))
      throw new Error(`${id} accepts other keys than described`);
    handlers.delete(id);
    const verb = method.toLowerCase() as Lowercase<typeof method>;
    for (const version of sessionVersions)
      app[verb](path.replace(/^\/[^/]+/, `/${version}`).replaceAll(/\{(\w+)\}/g, ':$1'), handler);
  }
  if (handlers.size > 0) throw new Error(`Not described: ${[...handlers.keys()].join(', ')}`);
}

function anyKeyCalls({
  readAuthentication,
  checkAddress,
  authenticate,
  erasure,
  mailTokens,
}: RouteParts): Readonly<Record<string, (call: AnyCall) => Promise<unknown>>> {
  return {
    async authenticate({ context, request, caller }) {
      const idempotencyKey = readIdempotencyKey(request.headers);
      const { members, unknown } = await readAuthentication(request);
      await checkAddress(context);
      const answer = await authenticate({
        request: members,
        principal: caller.principal,
        live: caller.live,
        clientAddress: context.clientAddress,
        requestId: context.requestId,
        idempotencyKey,
      });
      return unknown === 0 ? answer : { ...answer, notices: ['unknownMembers', ...answer.notices] };
    },
    readErasure: (call) => erasure.erasure(call, lastSegment(call.request.url)),
    verifyEmail: mailTokens.verifyEmail,
    requestPasswordReset: mailTokens.requestReset,
    resetPassword: mailTokens.resetPassword,
  };
}

function sessionCalls({
  session,
  account,
  erasure,
  twoFactor,
}: RouteParts): Readonly<Record<string, (call: SessionCall) => Promise<unknown>>> {
  return {
    switchProject: session.switchProject,
    readSession: session.read,
    renewSession: session.renew,
    endSession: session.end,
    listSessions: session.list,
    endOtherSessions: session.endOthers,
    eraseAccount: erasure.erase,
    readAccount: account.read,
    editAccount: account.change,
    changePassword: account.changePassword,
    changeEmail: account.changeEmail,
    listIdentities: account.identities,
    unlinkIdentity: (call) => account.unlink(call, lastSegment(call.request.url)),
    beginTwoFactor: twoFactor.begin,
    confirmTwoFactor: twoFactor.confirm,
    removeTwoFactor: twoFactor.remove,
  };
}

function lastSegment(url: string | undefined): string {
  return (url ?? '').split('?', 1)[0]?.split('/').at(-1) ?? '';
}
