import { type Operation, sessionVersions } from '@tickrate/contract';
import type { OperationsOptions } from '@tickrate/platform';
import { type AuthRoute, admitCaller, anyKeyRoute, type Caller } from '../callers/caller.ts';
import type { AuthParts } from '../parts.ts';
import { withUnknownMembers } from '../sign-in/answer.ts';
import { authenticate } from '../sign-in/authenticate.ts';
import { readIdempotencyKey } from '../sign-in/credentials.ts';
import { accountOperations } from './account-operations.ts';
import * as account from './account-routes.ts';
import * as erasure from './erasure-routes.ts';
import { mailTokenOperations } from './mail-token-operations.ts';
import * as mails from './mail-token-routes.ts';
import { authenticate as authenticateOperation } from './session-operations.ts';
import * as session from './session-routes.ts';
import { studioOperations } from './studio-operations.ts';
import * as studio from './studio-routes.ts';
import { twoFactorOperations } from './two-factor-operations.ts';
import * as twoFactor from './two-factor-routes.ts';

const signIn = anyKeyRoute(
  authenticateOperation,
  async (parts, { context, body, caller, unknownMembers }) => {
    const { principal, live } = caller;
    const { clientAddress, requestId } = context;
    const idempotencyKey = readIdempotencyKey(context.request.headers);
    await parts.checkAddress(context);
    const call = { request: body, principal, live, clientAddress, requestId, idempotencyKey };
    return withUnknownMembers(await authenticate(parts, call), unknownMembers);
  },
);

/** Every call of the session API, in the order of its document. */
const routes: readonly AuthRoute[] = [
  signIn,
  studio.readProvider,
  studio.visitProvider,
  studio.redeemCode,
  session.switchTo,
  session.read,
  session.renew,
  session.list,
  session.endOne,
  session.endOthers,
  account.read,
  account.change,
  account.changeAddress,
  mails.verify,
  account.changeOwnPassword,
  account.identities,
  account.unlink,
  twoFactor.begin,
  twoFactor.confirm,
  twoFactor.remove,
  mails.requestReset,
  mails.reset,
  session.end,
  erasure.exportAll,
  erasure.erase,
  erasure.progress,
];

/** Calls that hash a password, send a mail or call the provider of the studio. A sign-in counts its client address by itself. */
const costly: ReadonlySet<Operation> = new Set<Operation>([
  accountOperations.changePassword,
  accountOperations.changeEmail,
  twoFactorOperations.beginTwoFactor,
  studioOperations.visitStudioProvider,
  studioOperations.redeemStudioCode,
  ...Object.values(mailTokenOperations),
]);

export function createAuthRoutes(parts: AuthParts): OperationsOptions<Caller> {
  return {
    routes: routes.map((route) => route(parts)),
    admit: (context, operation) => admitCaller(parts, context, { operation, costly }),
    versions: sessionVersions,
    lenient: {
      onUnknownMembers: parts.events.unknownMembers,
      // A password can be any text. Each token is checked by itself, so that an invalid one does not hide the others.
      anyTextMembers: ['password', 'currentPassword', 'tokens'],
    },
  };
}
