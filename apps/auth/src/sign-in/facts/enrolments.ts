import type { CheckedEnrolment, EnrollingCaller } from '@tickrate/accounts';
import type { Enrolling } from '../../exchange/decision.ts';
import { whatToSetUp } from '../../second-factor/what-to-set-up.ts';
import type { AuthContext, SignIn } from '../sign-in.ts';

export interface EnrolmentAsked extends Enrolling {
  readonly tryCode: boolean;
}

export type Enrolments = ReturnType<typeof createEnrolments>;

/** Second factors that are set up during a sign-in. */
export function createEnrolments({ accounts: { enrolments } }: AuthContext) {
  return {
    async begin(signIn: SignIn, { accountId }: Enrolling) {
      const code = signIn.request.twoFactor?.twoFactorCode ?? '';
      return whatToSetUp(await enrolments.begin(callerOf(signIn, accountId), code));
    },

    check(signIn: SignIn, { accountId, tryCode }: EnrolmentAsked): Promise<CheckedEnrolment> {
      const code = tryCode ? (signIn.request.twoFactor?.twoFactorCode ?? '') : '';
      return enrolments.check(callerOf(signIn, accountId), code);
    },
  };
}

function callerOf(
  { exchange, realm, principal, credentials }: SignIn,
  accountId: string | null,
): EnrollingCaller {
  const { email, derived } = credentials;
  return { exchange, realm, keyId: principal.keyId, email, derived, accountId };
}
