import type { AccountsDeps } from '../accounts-deps.ts';
import {
  codesPerExchange,
  type Exchange,
  exchangeLimits,
  spentExchangeSeconds,
} from '../sign-in/exchange-calls.ts';
import { chargeCode, forgiveCodes } from '../sign-in/exchanges.ts';
import { type InRealm, inRealm } from '../store/in-realm.ts';
import { findPass, keepPassedCode, type Pass } from './passed-codes.ts';
import { hashRecoveryCode } from './second-factor-calls.ts';
import {
  chargeSecondFactor,
  findTotp,
  forgiveSecondFactor,
  spendRecoveryCode,
  spendStep,
} from './second-factors.ts';
import { normaliseCode, totpStep } from './totp.ts';

/** A code that a caller sends with the proofs of an account. */
export interface CodeSent {
  readonly exchange: Exchange;
  readonly realm: string;
  /** The key of the caller. */
  readonly keyId: string;
  readonly accountId: string;
  /** Keyed hashes of everything that proves the account: each contains a secret. */
  readonly proofs: readonly Buffer[];
  /** As the user typed it; empty without one. */
  readonly code: string;
}

export type TriedCode =
  | { readonly kind: 'locked'; readonly seconds: number }
  | { readonly kind: 'invalid'; readonly attemptsLeft: number }
  | { readonly kind: 'used' }
  | { readonly kind: 'passed'; readonly pass: Pass };

/**
 * The codes of a sign-in. Each attempt is counted before the check, for the account and for the exchange that the caller
 * names. One statement finds a code unspent and spends it. The store remembers it with the proof of the account.
 */
export function createCodeCalls(deps: AccountsDeps) {
  const { db } = deps;
  return {
    /** Checks the code by the account's authenticator and its recovery codes. */
    async try(sent: CodeSent): Promise<TriedCode> {
      const charged = await charge(deps, sent);
      if (charged.kind === 'locked') return charged;
      const outcome = await spendAndKeep(deps, sent);
      if (outcome === 'invalid') return { kind: 'invalid', attemptsLeft: charged.left };
      const pass = outcome === 'used' ? await recall(deps, sent) : outcome;
      if (pass === null) return { kind: 'used' };
      if (sent.exchange.isNamed) await forgiveCodes(db, sent.exchange.id);
      await forgiveSecondFactor(inRealm(db, sent.realm), sent.accountId);
      return { kind: 'passed', pass };
    },

    /** The second factor was passed before: in the exchange that the caller names, or by the same code and proof. */
    recall: (sent: CodeSent): Promise<Pass | null> => recall(deps, sent),
  };
}

type Charged =
  | { readonly kind: 'charged'; readonly left: number }
  | { readonly kind: 'locked'; readonly seconds: number };

/** How many attempts are left after this one, or how long no attempt is allowed. */
async function charge({ db, now }: AccountsDeps, { exchange, realm, accountId }: CodeSent): Promise<Charged> {
  const charged = exchange.isNamed ? await chargeCode(db, exchange.id, codesPerExchange) : 1;
  if (charged === null) return { kind: 'locked', seconds: spentExchangeSeconds };
  const tried = await chargeSecondFactor(inRealm(db, realm), accountId, now());
  if ('lockedMs' in tried) return { kind: 'locked', seconds: Math.ceil(tried.lockedMs / 1000) };
  return { kind: 'charged', left: Math.min(codesPerExchange - charged, tried.triesLeft) };
}

type Unspent = 'used' | 'invalid';

/**
 * Spends and remembers it in one step, so that the same code at another process finds it remembered. The account's row
 * is locked first, as by an erasure: neither has to end the other.
 */
function spendAndKeep(deps: AccountsDeps, sent: CodeSent): Promise<Unspent | Pass> {
  const { accountId, proofs, exchange, realm } = sent;
  return deps.db.transaction(async (tx) => {
    const people = inRealm(tx, realm);
    await people.rows('SELECT FROM auth.accounts WHERE realm = $1 AND id = $2 FOR KEY SHARE', [accountId]);
    const method = await spend(deps, people, sent);
    const mark = markOf(deps, sent);
    if (method === 'used' || method === 'invalid') return method;
    if (mark === null) return 'invalid';
    const passed = { mark, accountId, proofs, exchangeId: exchange.id, nowMs: deps.now() };
    await keepPassedCode(tx, { ...passed, method });
    return { mark, method };
  });
}

async function spend(
  deps: AccountsDeps,
  people: InRealm,
  { accountId, code: text }: CodeSent,
): Promise<Pass['method'] | Unspent> {
  const code = normaliseCode(text);
  const totp = await findTotp(people, accountId);
  const step = totp === null ? null : totpStep(deps.box.open(totp.secret), code, deps.now());
  if (step !== null) return (await spendStep(people, accountId, step)) ? 'otp' : 'used';
  const hash = hashRecoveryCode(deps, accountId, code);
  const outcome = await spendRecoveryCode(people, { accountId, hash, nowMs: deps.now() });
  if (outcome === 'unknown') return 'invalid';
  return outcome === 'spent' ? 'recovery' : 'used';
}

/** The stored form of a code of the account, for any spelling of it; null when none was sent. */
function markOf({ keyring }: AccountsDeps, { keyId, realm, accountId, code: text }: CodeSent): Buffer | null {
  const code = normaliseCode(text);
  return code === '' ? null : keyring.mac('passed code', keyId, realm, accountId, code);
}

function recall(deps: AccountsDeps, sent: CodeSent): Promise<Pass | null> {
  const nowMs = deps.now();
  const { accountId, proofs, exchange } = sent;
  return findPass(deps.db, {
    accountId,
    proofs,
    nowMs,
    mark: markOf(deps, sent),
    exchangeId: exchange.isNamed ? exchange.id : null,
    startedMs: nowMs - exchangeLimits.absoluteMs,
    touchedMs: nowMs - exchangeLimits.idleMs,
  });
}
