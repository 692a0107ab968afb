import { beginSessionEnrolment, confirmSessionEnrolment, removeSecondFactor } from '@tickrate/accounts';
import { systemError } from '@tickrate/contract';
import { requireRecentSignIn, selfOf, sessionRoute } from '../callers/caller.ts';
import { whatToSetUp } from '../sign-in/what-to-set-up.ts';
import * as operations from './two-factor-operations.ts';

/** As in a sign-in: the code of a mail comes before the secret. */
export const begin = sessionRoute(operations.beginTwoFactor, async (parts, { session, body }) => {
  requireRecentSignIn(parts, session);
  const begun = await beginSessionEnrolment(parts.accounts, session, body.twoFactorCode ?? '');
  switch (begun.kind) {
    case 'begun':
      return { ...flags(false), ...whatToSetUp(begun.setup) };
    case 'mailNeeded':
      parts.mails.requestEnrolment(session.realm, session.account_id);
      return { ...flags(true), secret: null, otpauthUri: null, qrSvg: null };
    case 'invalid':
      throw systemError('twoFactorCodeInvalid');
    case 'alreadyEnrolled':
      throw alreadyEnrolled();
  }
});

function flags(isCodeNeeded: boolean) {
  return { promptForEmailVerification: isCodeNeeded, promptForTwoFactorCode: isCodeNeeded };
}

/** Spends the code. The answer contains the recovery codes, which are shown only once. */
export const confirm = sessionRoute(operations.confirmTwoFactor, async ({ accounts }, call) => {
  const { session } = call;
  const outcome = await confirmSessionEnrolment(accounts, selfOf(call), call.body.twoFactorCode);
  switch (outcome.kind) {
    case 'confirmed':
      return { recoveryCodes: outcome.recoveryCodes };
    case 'alreadyEnrolled':
      throw alreadyEnrolled();
    case 'notBegun':
      throw systemError('objectNotFound', { objectType: 'twoFactor', invalidIdentifier: session.account_id });
    case 'locked':
      throw systemError('tooManyTwoFactorAttempts', { retryAfterSeconds: outcome.seconds });
    case 'invalid':
      throw systemError('twoFactorCodeInvalid', { amount: outcome.attemptsLeft });
  }
});

/** Requires a session that was opened with the second factor. Also forgets the trusted devices. */
export const remove = sessionRoute(operations.removeTwoFactor, async (parts, call) => {
  requireRecentSignIn(parts, call.session);
  const outcome = await removeSecondFactor(parts.accounts, selfOf(call));
  if (outcome === 'unproven')
    throw systemError('notPermitted', {}, { fields: 'sign in with the second factor first' });
  return true as const;
});

function alreadyEnrolled(): Error {
  return systemError('objectAlreadyExists', { objectType: 'twoFactor', invalidIdentifier: 'twoFactor' });
}
