import type { AccountsDeps } from '../accounts-deps.ts';
import { type SessionActor, writeOwnAudit } from '../records/audit.ts';
import { isAlive, lockAccounts, type SessionRow } from '../sign-in/sessions/sessions.ts';
import { inRealm } from '../store/in-realm.ts';
import { inTransaction } from '../store/in-transaction.ts';
import {
  checkMailedCode,
  completeEnrolment,
  type EnrollingCaller,
  findPending,
  labelOf,
  marksOf,
  type ProvenEnrolment,
  tryCode,
} from './enrolment-calls.ts';
import { replaceEnrolment } from './enrolments.ts';
import type { AuthenticatorSetup } from './second-factor-calls.ts';
import { findTotp } from './second-factors.ts';
import { newTotpSecret, normaliseCode } from './totp.ts';

/** `mailNeeded`: no code was sent that could be wrong. Mail one, then begin again with it. */
export type BegunSetup =
  | { readonly kind: 'begun'; readonly setup: AuthenticatorSetup }
  | { readonly kind: 'mailNeeded' | 'invalid' | 'alreadyEnrolled' };

export type SetupConfirmation =
  | { readonly kind: 'confirmed'; readonly recoveryCodes: string[] }
  /** `sessionOver`: another call has ended the session meanwhile, and nothing was changed. */
  | { readonly kind: 'notBegun' | 'alreadyEnrolled' | 'sessionOver' }
  | { readonly kind: 'invalid'; readonly attemptsLeft: number }
  | { readonly kind: 'locked'; readonly seconds: number };

/**
 * Second factors that a signed-in account sets up, as during a sign-in: an account with an address first proves it with
 * the code of a mail. A setup belongs to the session that began it.
 */
export function createSessionEnrolmentCalls(deps: AccountsDeps) {
  const { db, box, now, randomBytes } = deps;
  return {
    /** Replaces the setup of the session. `code` is the mailed one, or empty. */
    async begin(session: SessionRow, code: string): Promise<BegunSetup> {
      const { account_id: accountId, realm } = session;
      const caller = callerOf(deps, session);
      if ((await findTotp(inRealm(db, realm), accountId)) !== null) return { kind: 'alreadyEnrolled' };
      const proof = await checkMailedCode(deps, caller, { accountId, typed: normaliseCode(code) });
      if (proof === 'unproven') return { kind: 'mailNeeded' };
      if (proof === 'wrong') return { kind: 'invalid' };
      const secret = newTotpSecret(randomBytes);
      const begun = { exchangeId: caller.exchange.id, nowMs: now(), secret: box.seal(secret) };
      await replaceEnrolment(db, { ...begun, ...marksOf(deps, caller) });
      return { kind: 'begun', setup: { secret, label: await labelOf(deps, caller) } };
    },

    /** Spends the first code. Only this caller sees the recovery codes. Ends other sessions and remembered devices. */
    async confirm(by: SessionActor, code: string): Promise<SetupConfirmation> {
      const { account_id: accountId, realm } = by.session;
      if ((await findTotp(inRealm(db, realm), accountId)) !== null) return { kind: 'alreadyEnrolled' };
      const caller = callerOf(deps, by.session);
      const pending = await findPending(deps, caller);
      if (pending.length === 0) return { kind: 'notBegun' };
      const tried = await tryCode(deps, { pending, typed: normaliseCode(code) });
      if (tried.kind !== 'right') return tried;
      const { secret } = tried.pending;
      return complete(deps, by, { secret, step: tried.step, owner: marksOf(deps, caller).owner });
    },
  };
}

/** Stored as a hash, so that a setup names no session of an account that is deleted meanwhile. */
function callerOf(
  { keyring }: AccountsDeps,
  { id, account_id: accountId, realm }: SessionRow,
): EnrollingCaller {
  const exchange = { id: keyring.mac('enrolling session', id).toString('hex'), startedMs: 0, isNamed: false };
  return { exchange, realm, keyId: id, email: null, derived: null, accountId };
}

function complete(deps: AccountsDeps, by: SessionActor, proven: ProvenEnrolment): Promise<SetupConfirmation> {
  const { account_id: accountId, id: except, realm } = by.session;
  return inTransaction<SetupConfirmation>(deps.db, async (tx, rollBack) => {
    const people = inRealm(tx, realm);
    // If two callers end each other's sessions at the same time, the second one changes nothing.
    await lockAccounts(people, [accountId]);
    if (!(await isAlive(people, by.session, deps.now()))) throw rollBack({ kind: 'sessionOver' });
    const recoveryCodes = await completeEnrolment(deps, tx, { realm, accountId, proven, except });
    if (recoveryCodes === null) throw rollBack({ kind: 'alreadyEnrolled' });
    await writeOwnAudit(deps, people, { by, act: 'secondFactorEnrolled' });
    return { kind: 'confirmed', recoveryCodes };
  });
}
