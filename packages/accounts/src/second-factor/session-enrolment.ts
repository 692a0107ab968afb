import { objectNotFound, systemError } from '@tickrate/contract';
import type { Accounts } from '../accounts.ts';
import { findAccounts } from '../people/accounts.ts';
import { type SessionActor, writeOwnAudit } from '../records/audit.ts';
import { holdSession, type SessionRow } from '../sign-in/sessions.ts';
import { inRealm } from '../store/in-realm.ts';
import {
  type AuthenticatorSetup,
  checkUnprovenAddress,
  completeEnrolment,
  type EnrollingCaller,
  findPending,
  isMailedCode,
  labelOf,
  marksOf,
  trySetupCode,
} from './enrolments.ts';
import { findTotp } from './second-factors.ts';
import { newTotpSecret, normaliseCode } from './totp.ts';

/**
 * Shows the setup to a session, and replaces an earlier one of it. As during a sign-in, an account with an address first
 * proves it with the code of a mail. `code` is that one, or empty. Null if no code was sent that could be wrong: mail
 * one, then begin again with it.
 */
export async function beginSessionEnrolment(
  accounts: Accounts,
  session: SessionRow,
  code: string,
): Promise<AuthenticatorSetup | null> {
  const { db, box, now } = accounts;
  const { account_id: accountId, realm } = session;
  const people = inRealm(db, realm);
  if ((await findTotp(people, accountId)) !== null) throw alreadyEnrolled();
  const caller = callerOf(accounts, session);
  const typed = normaliseCode(code);
  const [account] = await findAccounts(people, [accountId]);
  if (account?.emailAddress !== null && !(await isMailedCode(accounts, realm, { accountId, typed }))) {
    const { kind } = await checkUnprovenAddress(accounts, caller, { accountId, typed });
    if (kind === 'addressUnproven') return null;
    throw systemError('twoFactorCodeInvalid');
  }
  const secret = newTotpSecret(accounts.randomBytes);
  const { mark, owner } = marksOf(accounts, caller);
  await db.query(
    `INSERT INTO auth.enrolments (exchange_id, mark, owner, secret, begun) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (exchange_id, mark) DO UPDATE SET owner = excluded.owner, secret = excluded.secret,
       begun = excluded.begun, failures = 0, step = NULL, code = NULL`,
    [caller.exchange.id, mark, owner, box.seal(secret), new Date(now())],
  );
  return { secret, label: await labelOf(accounts, caller) };
}

/**
 * Spends the first code. Returns the recovery codes, which only this caller sees. Ends other sessions and remembered
 * devices. Throws 2004 like `holdSession`.
 */
export async function confirmSessionEnrolment(
  accounts: Accounts,
  by: SessionActor,
  code: string,
): Promise<string[]> {
  const { account_id: accountId, id: except, realm } = by.session;
  if ((await findTotp(inRealm(accounts.db, realm), accountId)) !== null) throw alreadyEnrolled();
  const caller = callerOf(accounts, by.session);
  const pending = await findPending(accounts, caller);
  if (pending.length === 0) throw objectNotFound('twoFactor', accountId);
  const tried = await trySetupCode(accounts, pending, normaliseCode(code));
  if (tried.kind === 'locked')
    throw systemError('tooManyTwoFactorAttempts', { retryAfterSeconds: tried.seconds });
  if (tried.kind === 'invalid') throw systemError('twoFactorCodeInvalid', { amount: tried.attemptsLeft });
  const { owner } = marksOf(accounts, caller);
  const proven = { secret: tried.pending.secret, step: tried.step, owner };
  return accounts.db.transaction(async (tx) => {
    const people = inRealm(tx, realm);
    await holdSession(people, by.session, accounts.now());
    const recoveryCodes = await completeEnrolment(accounts, tx, { realm, accountId, proven, except });
    if (recoveryCodes === null) throw alreadyEnrolled();
    await writeOwnAudit(accounts, people, { by, act: 'secondFactorEnrolled' });
    return recoveryCodes;
  });
}

function alreadyEnrolled(): Error {
  return systemError('objectAlreadyExists', { objectType: 'twoFactor', invalidIdentifier: 'twoFactor' });
}

/** A setup belongs to the session that began it. Stored as a hash, so that it names no session of a deleted account. */
function callerOf({ keyring }: Accounts, { id, account_id: accountId, realm }: SessionRow): EnrollingCaller {
  const exchange = { id: keyring.mac('enrolling session', id).toString('hex'), startedMs: 0, isNamed: false };
  return { exchange, realm, keyId: id, email: null, derived: null, accountId };
}
