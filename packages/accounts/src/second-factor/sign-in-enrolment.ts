import type { Accounts } from '../accounts.ts';
import { codesPerExchange, forgiveCodes } from '../sign-in/exchanges.ts';
import {
  type AuthenticatorSetup,
  checkUnprovenAddress,
  type EnrollingCaller,
  findPending,
  isMailedCode,
  labelOf,
  marksOf,
  type PendingEnrolment,
  type ProvenEnrolment,
  trySetupCode,
} from './enrolments.ts';
import { newTotpSecret, normaliseCode } from './totp.ts';

/** How long an answer is repeated for the same proofs. */
const repeatedMs = 60_000;

/**
 * Shows the setup to a caller who signs in: the same whenever the exchange requests it, and for a caller who names no
 * exchange and repeats the password and the mailed code soon. It is different in every other exchange.
 */
export async function beginEnrolment(
  accounts: Accounts,
  caller: EnrollingCaller,
  code: string,
): Promise<AuthenticatorSetup> {
  const { db, box, now, randomBytes } = accounts;
  const known = await findKnownSetup(accounts, caller, code);
  const { mark, owner } = marksOf(accounts, caller);
  // Concurrent requests all get the first secret.
  const [row] = await db.query<{ secret: Buffer }>(
    `INSERT INTO auth.enrolments AS e (exchange_id, mark, owner, secret, begun) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (exchange_id, mark) DO UPDATE SET owner = excluded.owner RETURNING e.secret`,
    [caller.exchange.id, mark, owner, known ?? box.seal(newTotpSecret(randomBytes)), new Date(now())],
  );
  if (!row) throw new Error('An enrolment was neither found nor begun');
  return { secret: box.open(row.secret), label: await labelOf(accounts, caller) };
}

/** Null unless the request has the mailed code again: the password alone shows no secret. */
async function findKnownSetup(
  accounts: Accounts,
  caller: EnrollingCaller,
  code: string,
): Promise<Buffer | null> {
  const { accountId, exchange, realm } = caller;
  if (accountId === null || exchange.isNamed) return null;
  if (!(await isMailedCode(accounts, realm, { accountId, typed: normaliseCode(code) }))) return null;
  const sinceMs = accounts.now() - repeatedMs;
  // The owner's first setup that accepted no code yet and may still try one.
  const [row] = await accounts.db.query<{ secret: Buffer }>(
    `SELECT secret FROM auth.enrolments
     WHERE owner = $1 AND begun > $2 AND step IS NULL AND failures < $3 ORDER BY begun LIMIT 1`,
    [marksOf(accounts, caller).owner, new Date(sinceMs), codesPerExchange],
  );
  return row?.secret ?? null;
}

/**
 * The state of the setup: `addressUnproven` until the code of a mail arrives, then `waiting` for the first code of an
 * authenticator. `attemptsLeft` is null where attempts are unlimited: a code from a mail is too long to guess. After
 * `passed`, the account gets the second factor in the transaction that creates the session.
 */
export type EnrolmentFact =
  | { readonly kind: 'waiting' }
  | { readonly kind: 'passed' }
  | { readonly kind: 'addressUnproven' }
  | { readonly kind: 'invalid'; readonly attemptsLeft: number | null }
  | { readonly kind: 'locked'; readonly seconds: number };

interface CheckedEnrolment {
  readonly fact: EnrolmentFact;
  readonly proven: ProvenEnrolment | null;
}

/** `code` is empty if none is to be tried. */
export async function checkEnrolment(
  accounts: Accounts,
  caller: EnrollingCaller,
  code: string,
): Promise<CheckedEnrolment> {
  const { accountId, exchange, realm } = caller;
  const typed = normaliseCode(code);
  if (accountId !== null && (await isMailedCode(accounts, realm, { accountId, typed }))) {
    if (exchange.isNamed) await forgiveCodes(accounts.db, exchange.id);
    return unproven({ kind: 'waiting' });
  }
  const pending = await findPending(accounts, caller);
  if (pending.length > 0 && (exchange.isNamed || typed !== '')) {
    return checkPending(accounts, caller, { pending, typed });
  }
  // A new account has no owner yet, so there is nobody to ask.
  if (accountId === null) return unproven({ kind: 'waiting' });
  return unproven(await checkUnprovenAddress(accounts, caller, { accountId, typed }));
}

async function checkPending(
  accounts: Accounts,
  caller: EnrollingCaller,
  { pending, typed }: { readonly pending: readonly PendingEnrolment[]; readonly typed: string },
): Promise<CheckedEnrolment> {
  const { owner } = marksOf(accounts, caller);
  const code = accounts.keyring.mac('enrolment code', caller.keyId, typed);
  const provenBy = ({ secret }: PendingEnrolment, step: number): CheckedEnrolment => ({
    fact: { kind: 'passed' },
    proven: { secret, step, owner },
  });
  const known = pending.find(
    (each) => each.step !== null && (caller.exchange.isNamed || each.code?.equals(code)),
  );
  if (known) return provenBy(known, known.step ?? 0);
  if (typed === '') return unproven({ kind: 'waiting' });
  const tried = await trySetupCode(accounts, pending, typed);
  if (tried.kind !== 'right') return unproven(tried);
  await accounts.db.query(
    'UPDATE auth.enrolments SET step = $3, code = $4, failures = 0 WHERE exchange_id = $1 AND mark = $2',
    [tried.pending.exchangeId, tried.pending.mark, tried.step, code],
  );
  return provenBy(tried.pending, tried.step);
}

function unproven(fact: EnrolmentFact): CheckedEnrolment {
  return { fact, proven: null };
}
