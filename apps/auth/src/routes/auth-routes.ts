import type { AuthenticationResponse, Operation } from '@tickrate/contract';
import type { CheckAddress } from '../callers/address-rates.ts';
import { type AuthRoute, anyKeyRoute } from '../callers/call.ts';
import { withUnknownMembers } from '../sign-in/completing/answer.ts';
import { readIdempotencyKey } from '../sign-in/request/idempotency-key.ts';
import type { AuthenticateCall } from '../sign-in/sign-in.ts';
import { changeEmail, changePassword } from './account-operations.ts';
import type { createAccountRoutes } from './account-routes.ts';
import type { createErasureRoutes } from './erasure-routes.ts';
import { requestPasswordReset, resetPassword, verifyEmail } from './mail-token-operations.ts';
import type { createMailTokenRoutes } from './mail-token-routes.ts';
import { authenticate } from './session-operations.ts';
import type { createSessionRoutes } from './session-routes.ts';
import { beginTwoFactor } from './two-factor-operations.ts';
import type { createTwoFactorRoutes } from './two-factor-routes.ts';

export interface RouteParts {
  readonly checkAddress: CheckAddress;
  readonly authenticate: (call: AuthenticateCall) => Promise<AuthenticationResponse>;
  readonly session: ReturnType<typeof createSessionRoutes>;
  readonly account: ReturnType<typeof createAccountRoutes>;
  readonly erasure: ReturnType<typeof createErasureRoutes>;
  readonly twoFactor: ReturnType<typeof createTwoFactorRoutes>;
  readonly mailTokens: ReturnType<typeof createMailTokenRoutes>;
}

/** The table of routes: every call of the session API, in the order of its document. */
export function createAuthRoutes(parts: RouteParts): AuthRoute[] {
  const { session, account, erasure, twoFactor, mailTokens } = parts;
  return [
    createSignInRoute(parts),
    session.switchProject,
    session.read,
    session.renew,
    session.list,
    session.endOne,
    session.endOthers,
    account.read,
    account.change,
    account.changeEmail,
    mailTokens.verifyEmail,
    account.changePassword,
    account.identities,
    account.unlink,
    twoFactor.begin,
    twoFactor.confirm,
    twoFactor.remove,
    mailTokens.requestReset,
    mailTokens.resetPassword,
    session.end,
    erasure.export,
    erasure.erase,
    erasure.erasure,
  ];
}

/** Calls that hash a password or send a mail. A sign-in counts its client address by itself. */
export const costlyOperations: ReadonlySet<Operation> = new Set<Operation>([
  changePassword,
  changeEmail,
  verifyEmail,
  requestPasswordReset,
  resetPassword,
  beginTwoFactor,
]);

function createSignInRoute({ authenticate: signIn, checkAddress }: RouteParts): AuthRoute {
  return anyKeyRoute(authenticate, async ({ context, body, caller, unknownMembers }) => {
    const idempotencyKey = readIdempotencyKey(context.request.headers);
    await checkAddress(context);
    const answer = await signIn({
      request: body,
      principal: caller.principal,
      live: caller.live,
      clientAddress: context.clientAddress,
      requestId: context.requestId,
      idempotencyKey,
    });
    return withUnknownMembers(answer, unknownMembers);
  });
}
