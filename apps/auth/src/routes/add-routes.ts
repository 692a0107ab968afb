import { type AuthenticationRequest, type AuthenticationResponse, sessionVersions } from '@tickrate/contract';
import type { Express } from 'express';
import type { CheckAddress } from '../sign-in/address-rates.ts';
import type { AuthenticateCall } from '../sign-in/authenticate.ts';
import { readIdempotencyKey } from '../sign-in/idempotency-key.ts';
import type { createAccountRoutes } from './account-routes.ts';
import type { Calls } from './call.ts';
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

/** Every endpoint of the session API, below each of its versions. */
export function addRoutes(app: Express, parts: RouteParts): void {
  for (const version of sessionVersions) addRoutesBelow(app, `/${version}`, parts);
}

function addRoutesBelow(app: Express, base: string, parts: RouteParts): void {
  const { withSession, withAnyKey } = parts.calls;
  app.put(
    `${base}/authenticate`,
    withAnyKey(async ({ context, request, caller }) => {
      const idempotencyKey = readIdempotencyKey(request.headers);
      const { members, unknown } = await parts.readAuthentication(request);
      await parts.checkAddress(context);
      const answer = await parts.authenticate({
        request: members,
        principal: caller.principal,
        live: caller.live,
        clientAddress: context.clientAddress,
        requestId: context.requestId,
        idempotencyKey,
      });
      return unknown === 0 ? answer : { ...answer, notices: ['unknownMembers', ...answer.notices] };
    }),
  );
  addSessionRoutes(app, base, parts);
  addErasureRoutes(app, base, parts);
  const { account, mailTokens, twoFactor } = parts;
  app.get(`${base}/account`, withSession(account.read));
  app.patch(`${base}/account`, withSession(account.change));
  app.put(`${base}/account/password`, withSession(account.changePassword));
  app.put(`${base}/account/email`, withSession(account.changeEmail));
  app.post(`${base}/account/email/verify`, withAnyKey(mailTokens.verifyEmail));
  app.get(`${base}/account/identities`, withSession(account.identities));
  app.delete(
    `${base}/account/identities/:id`,
    withSession((call) => account.unlink(call, lastSegment(call.request.url))),
  );
  app.put(`${base}/account/twofactor`, withSession(twoFactor.begin));
  app.post(`${base}/account/twofactor`, withSession(twoFactor.confirm));
  app.delete(`${base}/account/twofactor`, withSession(twoFactor.remove));
  app.post(`${base}/password/reset`, withAnyKey(mailTokens.requestReset));
  app.put(`${base}/password/reset`, withAnyKey(mailTokens.resetPassword));
}

function addSessionRoutes(app: Express, base: string, { calls, session }: RouteParts): void {
  const { withSession } = calls;
  app.put(`${base}/authenticate/switch`, withSession(session.switchProject));
  app.get(`${base}/session`, withSession(session.read));
  app.post(`${base}/session`, withSession(session.renew));
  app.delete(`${base}/session`, withSession(session.end));
  app.get(`${base}/sessions`, withSession(session.list));
  app.delete(`${base}/sessions`, withSession(session.endOthers));
}

function addErasureRoutes(app: Express, base: string, { calls, erasure }: RouteParts): void {
  const { withSession, withAnyKey, withSessionAndResponse } = calls;
  app.post(`${base}/account/export`, withSessionAndResponse(erasure.export));
  app.delete(`${base}/account`, withSession(erasure.erase));
  app.get(
    `${base}/account/erasure/:id`,
    withAnyKey((call) => erasure.erasure(call, lastSegment(call.request.url))),
  );
}

function lastSegment(url: string | undefined): string {
  return (url ?? '').split('?', 1)[0]?.split('/').at(-1) ?? '';
}
