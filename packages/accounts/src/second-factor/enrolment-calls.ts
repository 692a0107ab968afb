import type { Queryable } from '@tickrate/postgres';
import type { AccountsDeps } from '../accounts-deps.ts';
import {
  dropMailTokens,
  findMailToken,
  hashEnrolmentCode,
  hasMailToken,
} from '../credentials/mail-tokens.ts';
import { findAccounts } from '../people/accounts.ts';
import type { Address } from '../people/address.ts';
import {
  codesPerExchange,
  type Exchange,
  exchangeLimits,
  spentExchangeSeconds,
} from '../sign-in/exchange-calls.ts';
import { chargeCode, forgiveCodes } from '../sign-in/exchanges.ts';
import { inRealm } from '../store/in-realm.ts';
import {
  beginEnrolment,
  chargeEnrolments,
  dropEnrolments,
  findEnrolments,
  findRecentEnrolment,
  type PendingEnrolment,
  passEnrolment,
} from './enrolments.ts';
import { type AuthenticatorSetup, startSecondFactor } from './second-factor-calls.ts';
import { enrolTotp } from './second-factors.ts';
import { newTotpSecret, normaliseCode, totpStep } from './totp.ts';

/** A caller who sets up a second factor during a sign-in. */
export interface EnrollingCaller {
  readonly exchange: Exchange;
  readonly realm: string;
  readonly keyId: string;
  readonly email: Address | null;
  /** Derived from the password. */
  readonly derived: string | null;
  /** Null for an account that the sign-in creates. */
  readonly accountId: string | null;
}

export type EnrolmentOutcome =
  | { readonly kind: 'waiting' | 'passed' | 'addressUnproven' }
  | { readonly kind: 'invalid'; readonly attemptsLeft: number | null }
  | { readonly kind: 'locked'; readonly seconds: number };

/** A second factor whose first code was right, before the account has it. */
export interface ProvenEnrolment {
  /** Sealed. */
  readonly secret: Buffer;
  readonly step: number;
  /** The account whose pending setups end with it. */
  readonly owner: Buffer;
}

export interface CheckedEnrolment {
  readonly fact: EnrolmentOutcome;
  readonly proven: ProvenEnrolment | null;
}

/**
 * Second factors that are set up during a sign-in. The owner of an existing account first proves the address with the
 * code of a mail, because a password could be stolen. A secret belongs to the exchange that showed it. A caller who
 * names no exchange is recognised by a code of the secret. The account gets it in the transaction that creates the
 * session.
 */
export function createEnrolmentCalls(deps: AccountsDeps) {
  const { db, box, now, randomBytes } = deps;
  return {
    /**
     * The setup: the same whenever the exchange requests it, and for a caller who names no exchange and repeats the
     * password and the mailed code soon. It is different in every other exchange.
     */
    async begin(caller: EnrollingCaller, code: string): Promise<AuthenticatorSetup> {
      const known = await findKnownSetup(deps, caller, code);
      const begun = { exchangeId: caller.exchange.id, nowMs: now() };
      const sealed = known ?? box.seal(newTotpSecret(randomBytes));
      const secret = await beginEnrolment(db, { ...begun, ...marksOf(deps, caller), secret: sealed });
      return { secret: box.open(secret), label: await labelOf(deps, caller) };
    },

    /** `code` is empty if none is to be tried. */
    async check(caller: EnrollingCaller, code: string): Promise<CheckedEnrolment> {
      const { accountId, exchange } = caller;
      const typed = normaliseCode(code);
      if (accountId !== null && (await isMailedCode(deps, caller, { accountId, typed }))) {
        if (exchange.isNamed) await forgiveCodes(db, exchange.id);
        return unproven({ kind: 'waiting' });
      }
      const pending = await findPending(deps, caller);
      if (pending.length > 0 && (exchange.isNamed || typed !== '')) {
        return checkPending(deps, caller, { pending, typed });
      }
      // A new account has no owner yet, so there is nobody to ask.
      if (accountId === null) return unproven({ kind: 'waiting' });
      return unproven(await checkUnprovenAddress(deps, caller, { accountId, typed }));
    },
  };
}

/** How long an answer is repeated for the same proofs. */
const repeatedMs = 60_000;

/** Null unless the request has the mailed code again: the password alone shows no secret. */
async function findKnownSetup(
  deps: AccountsDeps,
  caller: EnrollingCaller,
  code: string,
): Promise<Buffer | null> {
  const { accountId, exchange } = caller;
  if (accountId === null || exchange.isNamed) return null;
  if (!(await isMailedCode(deps, caller, { accountId, typed: normaliseCode(code) }))) return null;
  const sinceMs = deps.now() - repeatedMs;
  return findRecentEnrolment(deps.db, {
    owner: ownerOf(deps, caller),
    sinceMs,
    mostFailures: codesPerExchange,
  });
}

interface Completing {
  readonly realm: string;
  readonly accountId: string;
  readonly proven: ProvenEnrolment;
  /** The session that stays alive. */
  readonly except: string | null;
}

/** Gives the account its second factor, and spends the code. Null if the account got another one meanwhile. */
export async function completeEnrolment(
  deps: AccountsDeps,
  tx: Queryable,
  { realm, accountId, proven, except }: Completing,
): Promise<string[] | null> {
  const people = inRealm(tx, realm);
  const { secret, step, owner } = proven;
  if (!(await enrolTotp(people, { accountId, secret, step, nowMs: deps.now() }))) return null;
  await dropEnrolments(tx, owner);
  await dropMailTokens(people, accountId, 'enrol');
  return startSecondFactor(deps, people, { accountId, except });
}

export async function labelOf(
  { db }: AccountsDeps,
  { realm, email, accountId }: EnrollingCaller,
): Promise<string> {
  const [account] = accountId === null ? [] : await findAccounts(inRealm(db, realm), [accountId]);
  return account?.email ?? email?.address ?? account?.display_name ?? accountId ?? '';
}

interface Typed {
  readonly pending: readonly PendingEnrolment[];
  readonly typed: string;
}

async function checkPending(
  deps: AccountsDeps,
  caller: EnrollingCaller,
  { pending, typed }: Typed,
): Promise<CheckedEnrolment> {
  const owner = ownerOf(deps, caller);
  const code = deps.keyring.mac('enrolment code', caller.keyId, typed);
  const known = pending.find(
    (each) => each.step !== null && (caller.exchange.isNamed || each.code?.equals(code)),
  );
  if (known) return provenBy(known, known.step ?? 0, owner);
  if (typed === '') return unproven({ kind: 'waiting' });
  const tried = await tryCode(deps, { pending, typed });
  if (tried.kind !== 'right') return unproven(tried);
  await passEnrolment(deps.db, { ...tried.pending, step: tried.step, code });
  return provenBy(tried.pending, tried.step, owner);
}

type Tried =
  | { readonly kind: 'right'; readonly pending: PendingEnrolment; readonly step: number }
  | { readonly kind: 'invalid'; readonly attemptsLeft: number }
  | { readonly kind: 'locked'; readonly seconds: number };

/** The setup whose code this is. The attempt is counted for all of them before the check. */
export async function tryCode({ db, box, now }: AccountsDeps, { pending, typed }: Typed): Promise<Tried> {
  const charged = await chargeEnrolments(db, pending, codesPerExchange);
  if (charged.length === 0) return { kind: 'locked', seconds: spentExchangeSeconds };
  for (const each of pending.filter(({ mark }) => charged.some((one) => one.mark.equals(mark)))) {
    const step = totpStep(box.open(each.secret), typed, now());
    if (step !== null) return { kind: 'right', pending: each, step };
  }
  const failures = Math.min(...charged.map((one) => one.failures));
  return { kind: 'invalid', attemptsLeft: codesPerExchange - failures };
}

/** What a setup is found by. */
export function marksOf(deps: AccountsDeps, caller: EnrollingCaller): { mark: Buffer; owner: Buffer } {
  return { mark: markOf(deps, caller), owner: ownerOf(deps, caller) };
}

function markOf({ keyring }: AccountsDeps, { exchange, accountId }: EnrollingCaller): Buffer {
  return keyring.mac('enrolment', exchange.id, accountId ?? '');
}

/** A caller who proves the account with the same password or the same session, and the same key. */
function ownerOf({ keyring }: AccountsDeps, caller: EnrollingCaller): Buffer {
  const { keyId, realm, email, derived, accountId } = caller;
  const password = derived === null ? [] : [email?.folded ?? '', derived];
  return keyring.mac('enrolment owner', keyId, realm, accountId ?? '', ...password);
}

/** The setups of the caller that began within the longest time of an exchange. */
export function findPending(deps: AccountsDeps, caller: EnrollingCaller): Promise<PendingEnrolment[]> {
  const { exchange } = caller;
  return findEnrolments(deps.db, {
    exchangeId: exchange.isNamed ? exchange.id : null,
    mark: markOf(deps, caller),
    owner: ownerOf(deps, caller),
    sinceMs: deps.now() - exchangeLimits.absoluteMs,
  });
}

interface Mailed {
  readonly accountId: string;
  readonly typed: string;
}

/**
 * Whether the caller may see a setup: `proven` by the code of a mail to the account, or without an address. `wrong` is
 * only a code that another one was mailed for.
 */
export async function checkMailedCode(
  deps: AccountsDeps,
  caller: EnrollingCaller,
  mailed: Mailed,
): Promise<'proven' | 'unproven' | 'wrong'> {
  const [account] = await findAccounts(inRealm(deps.db, caller.realm), [mailed.accountId]);
  if (account?.email === null || (await isMailedCode(deps, caller, mailed))) return 'proven';
  const { kind } = await checkUnprovenAddress(deps, caller, mailed);
  return kind === 'addressUnproven' ? 'unproven' : 'wrong';
}

async function isMailedCode(
  deps: AccountsDeps,
  { realm }: EnrollingCaller,
  { accountId, typed }: Mailed,
): Promise<boolean> {
  if (typed === '') return false;
  const hash = hashEnrolmentCode(deps, accountId, typed);
  const token = await findMailToken(inRealm(deps.db, realm), { hash, kinds: ['enrol'], nowMs: deps.now() });
  return token?.account_id === accountId;
}

/**
 * A code is wrong only if a mail with another code was sent; an earlier code is ignored. Attempts are counted only in
 * the exchange that the caller names, so that a thief cannot lock out the owner.
 */
async function checkUnprovenAddress(
  { db, now }: AccountsDeps,
  { realm, exchange }: EnrollingCaller,
  { accountId, typed }: Mailed,
): Promise<EnrolmentOutcome> {
  const pending = { accountId, kind: 'enrol', nowMs: now() } as const;
  if (typed === '' || !(await hasMailToken(inRealm(db, realm), pending))) return { kind: 'addressUnproven' };
  if (!exchange.isNamed) return { kind: 'invalid', attemptsLeft: null };
  const tries = await chargeCode(db, exchange.id, codesPerExchange);
  if (tries === null) return { kind: 'locked', seconds: spentExchangeSeconds };
  return { kind: 'invalid', attemptsLeft: codesPerExchange - tries };
}

function unproven(fact: EnrolmentOutcome): CheckedEnrolment {
  return { fact, proven: null };
}

function provenBy({ secret }: PendingEnrolment, step: number, owner: Buffer): CheckedEnrolment {
  return { fact: { kind: 'passed' }, proven: { secret, step, owner } };
}
