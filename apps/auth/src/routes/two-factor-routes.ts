import { beginSessionEnrolment, confirmSessionEnrolment, removeSecondFactor } from '@tickrate/accounts';
import { requireRecentSignIn, selfOf, sessionRoute } from '../callers/caller.ts';
import { whatToSetUp } from '../sign-in/what-to-set-up.ts';
import { twoFactorOperations as operations } from './two-factor-operations.ts';

/** As in a sign-in: the code of a mail comes before the secret. */
export const begin = sessionRoute(operations.beginTwoFactor, async (parts, { session, body }) => {
  requireRecentSignIn(parts, session);
  const setup = await beginSessionEnrolment(parts.accounts, session, body.twoFactorCode ?? '');
  if (setup !== null) return { ...flags(false), ...whatToSetUp(setup) };
  parts.mails.requestEnrolment(session.realm, session.account_id);
  return { ...flags(true), secret: null, otpauthUri: null, qrSvg: null };
});

function flags(isCodeNeeded: boolean) {
  return { promptForEmailVerification: isCodeNeeded, promptForTwoFactorCode: isCodeNeeded };
}

/** Spends the code. The answer contains the recovery codes, which are shown only once. */
export const confirm = sessionRoute(operations.confirmTwoFactor, async ({ accounts }, call) => ({
  recoveryCodes: await confirmSessionEnrolment(accounts, selfOf(call), call.body.twoFactorCode),
}));

/** Requires a session that was opened with the second factor. Also forgets the trusted devices. */
export const remove = sessionRoute(operations.removeTwoFactor, async (parts, call) => {
  requireRecentSignIn(parts, call.session);
  await removeSecondFactor(parts.accounts, selfOf(call));
  return true as const;
});
