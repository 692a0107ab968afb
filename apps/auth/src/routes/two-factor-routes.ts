import type { Accounts } from '@tickrate/accounts';
import { systemError } from '@tickrate/contract';
import {
  requireRecentSignIn,
  type SessionCall,
  type SessionCaller,
  selfOf,
  sessionRoute,
} from '../callers/call.ts';
import type { MailFlows } from '../mail/mail-flows.ts';
import { whatToSetUp } from '../second-factor/what-to-set-up.ts';
import * as operations from './two-factor-operations.ts';

export interface TwoFactorDeps {
  readonly accounts: Pick<Accounts, 'secondFactors' | 'sessionEnrolments'>;
  readonly mails: Pick<MailFlows, 'requestEnrolment'>;
  readonly now: () => number;
}

/** The calls that set up an authenticator, confirm it with its first code, and remove it. */
export function createTwoFactorRoutes(deps: TwoFactorDeps) {
  return {
    begin: sessionRoute(operations.beginTwoFactor, (call) => begin(deps, call)),
    confirm: sessionRoute(operations.confirmTwoFactor, (call) => confirm(deps, call)),
    remove: sessionRoute(operations.removeTwoFactor, (call) => remove(deps, call)),
  };
}

/** As in a sign-in: the code of a mail comes before the secret. */
async function begin(
  { accounts, mails, now }: TwoFactorDeps,
  { session, body }: SessionCall<typeof operations.beginTwoFactor>,
) {
  requireRecentSignIn(session, now());
  const begun = await accounts.sessionEnrolments.begin(session, body.twoFactorCode ?? '');
  switch (begun.kind) {
    case 'begun':
      return { ...flags(false), ...whatToSetUp(begun.setup) };
    case 'mailNeeded':
      mails.requestEnrolment(session.realm, session.account_id);
      return { ...flags(true), secret: null, otpauthUri: null, qrSvg: null };
    case 'invalid':
      throw systemError('twoFactorCodeInvalid');
    case 'alreadyEnrolled':
      throw alreadyEnrolled();
  }
}

function flags(isCodeNeeded: boolean) {
  return { promptForEmailVerification: isCodeNeeded, promptForTwoFactorCode: isCodeNeeded };
}

/** Spends the code. The answer contains the recovery codes, which are shown only once. */
async function confirm({ accounts }: TwoFactorDeps, call: SessionCall<typeof operations.confirmTwoFactor>) {
  const outcome = await accounts.sessionEnrolments.confirm(selfOf(call), call.body.twoFactorCode);
  switch (outcome.kind) {
    case 'confirmed':
      return { recoveryCodes: outcome.recoveryCodes };
    case 'alreadyEnrolled':
      throw alreadyEnrolled();
    case 'sessionOver':
      throw systemError('sessionExpired', { invalidSessionId: call.session.id });
    case 'notBegun':
      throw systemError('objectNotFound', {
        objectType: 'twoFactor',
        invalidIdentifier: call.session.account_id,
      });
    case 'locked':
      throw systemError('tooManyTwoFactorAttempts', { retryAfterSeconds: outcome.seconds });
    case 'invalid':
      throw systemError('twoFactorCodeInvalid', { amount: outcome.attemptsLeft });
  }
}

/** Requires a session that was opened with the second factor. Also forgets the trusted devices. */
async function remove({ accounts, now }: TwoFactorDeps, call: SessionCaller): Promise<true> {
  requireRecentSignIn(call.session, now());
  const outcome = await accounts.secondFactors.remove(selfOf(call));
  if (outcome === 'sessionOver') throw systemError('sessionExpired', { invalidSessionId: call.session.id });
  if (outcome === 'unproven')
    throw systemError('notPermitted', {}, { fields: 'sign in with the second factor first' });
  return true;
}

function alreadyEnrolled(): Error {
  return systemError('objectAlreadyExists', { objectType: 'twoFactor', invalidIdentifier: 'twoFactor' });
}
