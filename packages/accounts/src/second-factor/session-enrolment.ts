import type { Accounts } from '../accounts.ts';
import { findAccounts } from '../people/accounts.ts';
import { type SessionActor, writeOwnAudit } from '../records/audit.ts';
import { holdSession, type SessionRow } from '../sign-in/sessions.ts';
import { inRealm, inTransaction } from '../store/in-realm.ts';
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

/** `mailNeeded`: no code was sent that could be wrong. Mail one, then begin again with it. */
type BegunSetup =
  | { readonly kind: 'begun'; readonly setup: AuthenticatorSetup }
  | { readonly kind: 'mailNeeded' | 'invalid' | 'alreadyEnrolled' };

/**
 * Shows the setup to a session, and replaces an earlier one of it. As during a sign-in, an account with an address first
 * proves it with the code of a mail. `code` is that one, or empty.
 */
export async function beginSessionEnrolment(
  accounts: Accounts,
  session: SessionRow,
  code: string,
): Promise<BegunSetup> {
  const { db, box, now } = accounts;
  const { account_id: accountId, realm } = session;
  const people = inRealm(db, realm);
  if ((await findTotp(people, accountId)) !== null) return { kind: 'alreadyEnrolled' };
  const caller = callerOf(accounts, session);
  const typed = normaliseCode(code);
  const [account] = await findAccounts(people, [accountId]);
  if (account?.email !== null && !(await isMailedCode(accounts, realm, { accountId, typed }))) {
    const { kind } = await checkUnprovenAddress(accounts, caller, { accountId, typed });
    return { kind: kind === 'addressUnproven' ? 'mailNeeded' : 'invalid' };
  }
  const secret = newTotpSecret(accounts.randomBytes);
  const { mark, owner } = marksOf(accounts, caller);
  await db.query(
    `INSERT INTO auth.enrolments (exchange_id, mark, owner, secret, begun) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (exchange_id, mark) DO UPDATE SET owner = excluded.owner, secret = excluded.secret,
       begun = excluded.begun, failures = 0, step = NULL, code = NULL`,
    [caller.exchange.id, mark, owner, box.seal(secret), new Date(now())],
  );
  return { kind: 'begun', setup: { secret, label: await labelOf(accounts, caller) } };
}

type SetupConfirmation =
  | { readonly kind: 'confirmed'; readonly recoveryCodes: string[] }
  | { readonly kind: 'notBegun' | 'alreadyEnrolled' }
  | { readonly kind: 'invalid'; readonly attemptsLeft: number }
  | { readonly kind: 'locked'; readonly seconds: number };

/**
 * Spends the first code. Only this caller sees the recovery codes. Ends other sessions and remembered devices. Throws 2004
 * like `holdSession`.
 */
export async function confirmSessionEnrolment(
  accounts: Accounts,
  by: SessionActor,
  code: string,
): Promise<SetupConfirmation> {
  const { account_id: accountId, id: except, realm } = by.session;
  if ((await findTotp(inRealm(accounts.db, realm), accountId)) !== null) return { kind: 'alreadyEnrolled' };
  const caller = callerOf(accounts, by.session);
  const pending = await findPending(accounts, caller);
  if (pending.length === 0) return { kind: 'notBegun' };
  const tried = await trySetupCode(accounts, pending, normaliseCode(code));
  if (tried.kind !== 'right') return tried;
  const { owner } = marksOf(accounts, caller);
  const proven = { secret: tried.pending.secret, step: tried.step, owner };
  return inTransaction<SetupConfirmation>(accounts.db, async (tx, rollBack) => {
    const people = inRealm(tx, realm);
    await holdSession(people, by.session, accounts.now());
    const recoveryCodes = await completeEnrolment(accounts, tx, { realm, accountId, proven, except });
    if (recoveryCodes === null) throw rollBack({ kind: 'alreadyEnrolled' });
    await writeOwnAudit(accounts, people, { by, act: 'secondFactorEnrolled' });
    return { kind: 'confirmed', recoveryCodes };
  });
}

/** A setup belongs to the session that began it. Stored as a hash, so that it names no session of a deleted account. */
function callerOf({ keyring }: Accounts, { id, account_id: accountId, realm }: SessionRow): EnrollingCaller {
  const exchange = { id: keyring.mac('enrolling session', id).toString('hex'), startedMs: 0, isNamed: false };
  return { exchange, realm, keyId: id, email: null, derived: null, accountId };
}
