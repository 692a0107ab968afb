import type { Queryable } from '@tickrate/postgres';
import type { Accounts } from '../accounts.ts';
import {
  dropMailTokens,
  findMailToken,
  hashEnrolmentCode,
  hasMailToken,
} from '../credentials/mail-tokens.ts';
import { findAccounts } from '../people/accounts.ts';
import type { Address } from '../people/address.ts';
import {
  chargeCode,
  codesPerExchange,
  type Exchange,
  exchangeLimits,
  spentExchangeSeconds,
} from '../sign-in/exchanges.ts';
import { inRealm } from '../store/in-realm.ts';
import { enrolTotp, startSecondFactor } from './second-factors.ts';
import { totpStep } from './totp.ts';

/**
 * A caller who sets up a second factor, during a sign-in or with a session. The owner of an existing account first proves
 * the address with the code of a mail, because a password could be stolen. A secret belongs to the exchange that showed
 * it. A caller who names no exchange is recognised by a code of the secret.
 */
export interface EnrollingCaller {
  /** A setup of a session has an exchange of its own. */
  readonly exchange: Exchange;
  readonly realm: string;
  readonly keyId: string;
  readonly email: Address | null;
  /** Derived from the password. */
  readonly derived: string | null;
  /** Null for an account that the sign-in creates. */
  readonly accountId: string | null;
}

/** The secret of an authenticator, and the name that distinguishes it from the user's other ones. */
export interface AuthenticatorSetup {
  readonly secret: string;
  readonly label: string;
}

/** A setup whose first code has not arrived, or has not given its account the second factor yet. */
export interface PendingEnrolment {
  readonly exchangeId: string;
  /** Identifies the account within the exchange. */
  readonly mark: Buffer;
  /** Sealed. */
  readonly secret: Buffer;
  /** The time step of the accepted code, and the hash by which that code is recognised. */
  readonly step: number | null;
  readonly code: Buffer | null;
}

/** A second factor whose first code was right, before the account has it. */
export interface ProvenEnrolment {
  /** Sealed. */
  readonly secret: Buffer;
  readonly step: number;
  /** The account whose pending setups end with it. */
  readonly owner: Buffer;
}

const mostOfOwner = 5;
const columns = 'exchange_id AS "exchangeId", mark, secret, step::float8 AS step, code';

/**
 * The setups of the exchange that the caller names, or else the latest ones of the same owner within the longest time of
 * an exchange. Their secrets are not returned to a client.
 */
export function findPending(accounts: Accounts, caller: EnrollingCaller): Promise<PendingEnrolment[]> {
  const { db, now } = accounts;
  const { mark, owner } = marksOf(accounts, caller);
  return caller.exchange.isNamed
    ? db.query<PendingEnrolment>(
        `SELECT ${columns} FROM auth.enrolments WHERE exchange_id = $1 AND mark = $2`,
        [caller.exchange.id, mark],
      )
    : db.query<PendingEnrolment>(
        `SELECT ${columns} FROM auth.enrolments WHERE owner = $1 AND begun > $2 ORDER BY begun DESC LIMIT ${mostOfOwner}`,
        [owner, new Date(now() - exchangeLimits.absoluteMs)],
      );
}

/** What a setup is found by. The owner proves the account with the same password or session, and the same key. */
export function marksOf({ keyring }: Accounts, caller: EnrollingCaller) {
  const { exchange, keyId, realm, email, derived, accountId } = caller;
  const password = derived === null ? [] : [email?.folded ?? '', derived];
  return {
    mark: keyring.mac('enrolment', exchange.id, accountId ?? ''),
    owner: keyring.mac('enrolment owner', keyId, realm, accountId ?? '', ...password),
  };
}

export async function labelOf(
  { db }: Accounts,
  { realm, email, accountId }: EnrollingCaller,
): Promise<string> {
  const [account] = accountId === null ? [] : await findAccounts(inRealm(db, realm), [accountId]);
  return account?.emailAddress ?? email?.address ?? account?.displayName ?? accountId ?? '';
}

type TriedSetup =
  | { readonly kind: 'right'; readonly pending: PendingEnrolment; readonly step: number }
  | { readonly kind: 'invalid'; readonly attemptsLeft: number }
  | { readonly kind: 'locked'; readonly seconds: number };

/** The setup whose code this is. The attempt is counted for all of them before the check. */
export async function trySetupCode(
  { db, box, now }: Accounts,
  pending: readonly PendingEnrolment[],
  typed: string,
): Promise<TriedSetup> {
  const charged = await db.query<{ mark: Buffer; failures: number }>(
    `UPDATE auth.enrolments e SET failures = failures + 1
     FROM unnest($1::text[], $2::bytea[]) AS tried (exchange_id, mark)
     WHERE e.exchange_id = tried.exchange_id AND e.mark = tried.mark AND failures < $3 RETURNING e.mark, e.failures`,
    [pending.map(({ exchangeId }) => exchangeId), pending.map(({ mark }) => mark), codesPerExchange],
  );
  if (charged.length === 0) return { kind: 'locked', seconds: spentExchangeSeconds };
  for (const each of pending.filter(({ mark }) => charged.some((one) => one.mark.equals(mark)))) {
    const step = totpStep(box.open(each.secret), typed, now());
    if (step !== null) return { kind: 'right', pending: each, step };
  }
  const failures = Math.min(...charged.map((one) => one.failures));
  return { kind: 'invalid', attemptsLeft: codesPerExchange - failures };
}

interface Typed {
  readonly accountId: string;
  /** The code of the mail; empty without one. */
  readonly typed: string;
}

export async function isMailedCode(
  accounts: Accounts,
  realm: string,
  { accountId, typed }: Typed,
): Promise<boolean> {
  if (typed === '') return false;
  const hash = hashEnrolmentCode(accounts, accountId, typed);
  const lookup = { hash, kinds: ['enrol'], nowMs: accounts.now() } as const;
  return (await findMailToken(inRealm(accounts.db, realm), lookup))?.account_id === accountId;
}

/**
 * A code is wrong only if a mail with another code was sent; an earlier code is ignored. Attempts are counted only in
 * the exchange that the caller names, so that a thief cannot lock out the owner: without it they are unlimited, because
 * a code from a mail is too long to guess.
 */
export async function checkUnprovenAddress(
  { db, now }: Accounts,
  { realm, exchange }: EnrollingCaller,
  { accountId, typed }: Typed,
) {
  const mailed = { accountId, kind: 'enrol', nowMs: now() } as const;
  if (typed === '' || !(await hasMailToken(inRealm(db, realm), mailed))) {
    return { kind: 'addressUnproven' } as const;
  }
  if (!exchange.isNamed) return { kind: 'invalid', attemptsLeft: null } as const;
  const attemptsLeft = await chargeCode(db, exchange.id);
  return attemptsLeft === null
    ? ({ kind: 'locked', seconds: spentExchangeSeconds } as const)
    : ({ kind: 'invalid', attemptsLeft } as const);
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
  accounts: Accounts,
  tx: Queryable,
  { realm, accountId, proven, except }: Completing,
): Promise<string[] | null> {
  const people = inRealm(tx, realm);
  const { secret, step, owner } = proven;
  if (!(await enrolTotp(people, { accountId, secret, step, nowMs: accounts.now() }))) return null;
  await tx.query('DELETE FROM auth.enrolments WHERE owner = $1', [owner]);
  await dropMailTokens(people, accountId, 'enrol');
  return startSecondFactor(accounts, people, { accountId, except });
}
