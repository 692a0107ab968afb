import type { AccountsDeps } from './accounts-deps.ts';
import { ensureInstallationOwner } from './administrators/administrators.ts';
import { createMailCodeCalls } from './credentials/mail-code-calls.ts';
import { createMailCodeRequests } from './credentials/mail-code-requests.ts';
import { createPasswordCalls } from './credentials/password-calls.ts';
import { takeOfAddress } from './credentials/throttles.ts';
import { createMailCalls } from './mails/mail-calls.ts';
import { createErasureCalls } from './people/erasure-calls.ts';
import { createProfileCalls } from './people/profile-calls.ts';
import { createTokenCalls } from './platform-tokens/token-calls.ts';
import { createCodeCalls } from './second-factor/code-calls.ts';
import { createEnrolmentCalls } from './second-factor/enrolment-calls.ts';
import { createSecondFactorCalls } from './second-factor/second-factor-calls.ts';
import { createSessionEnrolmentCalls } from './second-factor/session-enrolment-calls.ts';
import { createExchangeCalls } from './sign-in/exchange-calls.ts';
import { createSessionCalls } from './sign-in/sessions/session-calls.ts';
import { createSignInCalls } from './sign-in/sign-in-calls.ts';
import { purge } from './store/purge.ts';

export type Accounts = ReturnType<typeof createAccounts>;

/**
 * The accounts of players and administrators. Each call is one transaction, or one step that is safe by itself, and
 * returns its outcome as a value. It closes nothing.
 */
export function createAccounts(deps: AccountsDeps) {
  return {
    signIns: createSignInCalls(deps),
    exchanges: createExchangeCalls(deps),
    sessions: createSessionCalls(deps),
    profiles: createProfileCalls(deps),
    passwords: createPasswordCalls(deps),
    /** Codes of authenticators and recovery codes. */
    codes: createCodeCalls(deps),
    secondFactors: createSecondFactorCalls(deps),
    /** Second factors that are set up during a sign-in. */
    enrolments: createEnrolmentCalls(deps),
    /** Second factors that a session sets up. */
    sessionEnrolments: createSessionEnrolmentCalls(deps),
    /** Issues codes for mails. */
    mailCodeRequests: createMailCodeRequests(deps),
    /** Uses them. */
    mailCodes: createMailCodeCalls(deps),
    mails: createMailCalls(deps),
    tokens: createTokenCalls(deps),
    erasures: createErasureCalls(deps),
    takeOfAddress: takeOfAddress(deps),
    ensureInstallationOwner: ensureInstallationOwner(deps),
    /** Deletes expired rows. Any number of processes may run it concurrently. */
    purge: () => purge(deps.db, deps.now()),
  };
}
