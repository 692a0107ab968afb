import {
  chargeCode,
  chargeSecondFactor,
  findTotp,
  forgiveCodes,
  forgiveSecondFactor,
  type InRealm,
  inRealm,
  keepPassedCode,
  type Pass,
  spendRecoveryCode,
  spendStep,
} from '@tickrate/accounts';
import type { CodeFact } from '../../exchange/facts.ts';
import type { Ground, SignIn } from '../sign-in.ts';
import { markOfCode, recallPass, type SignInOf } from './passed-codes.ts';

/** Reads codes; the store records used codes. */
export interface CodeReader {
  normaliseCode(text: string): string;
  /** The time step of this code, within one step of now; null without one. */
  totpStep(secret: string, code: string, nowMs: number): number | null;
}

export interface CheckedCode {
  readonly fact: CodeFact;
  readonly pass: Pass | null;
}

type Unspent = 'used' | 'invalid';
type Spending = Pass['method'] | Unspent;

export const codesPerExchange = 5;
/** The retry delay for a client of a used-up exchange. */
export const spentExchangeSeconds = 600;

/**
 * Checks the code of the request for this account, by its authenticator or its recovery codes. Each attempt is counted
 * before the check, for the account and for the exchange that the caller names. One statement finds a code unspent and
 * spends it. The store remembers it with the proof of the account.
 */
export function createCheckCode(ground: Ground, reader: CodeReader) {
  const { db, box, keyring, now } = ground;

  async function spend(people: InRealm, accountId: string, code: string): Promise<Spending> {
    const totp = await findTotp(people, accountId);
    const step = totp === null ? null : reader.totpStep(box.open(totp.secret), code, now());
    if (step !== null) return (await spendStep(people, accountId, step)) ? 'otp' : 'used';
    const outcome = await spendRecoveryCode(people, {
      accountId,
      hash: keyring.mac('recovery', accountId, code),
      nowMs: now(),
    });
    if (outcome === 'unknown') return 'invalid';
    return outcome === 'spent' ? 'recovery' : 'used';
  }

  /** Spends and remembers it in one step, so that the same code at another process finds it remembered. */
  function spendAndKeep(signIn: SignIn, { accountId, proofs }: SignInOf): Promise<Unspent | Pass> {
    const { request, realm, exchange } = signIn;
    const code = reader.normaliseCode(request.twoFactor?.twoFactorCode ?? '');
    return db.transaction(async (tx) => {
      const outcome = await spend(inRealm(tx, realm), accountId, code);
      const mark = markOfCode(ground, signIn, accountId);
      if (outcome === 'used' || outcome === 'invalid') return outcome;
      if (mark === null) return 'invalid';
      const passed = { mark, accountId, proofs, exchangeId: exchange.id, nowMs: now() };
      await keepPassedCode(tx, { ...passed, method: outcome });
      return { mark, method: outcome };
    });
  }

  /** How many attempts are left after this one, or how long no attempt is allowed. */
  async function charge({ exchange, realm }: SignIn, accountId: string): Promise<Charged> {
    const charged = exchange.isNamed ? await chargeCode(db, exchange.id, codesPerExchange) : 1;
    if (charged === null) return { kind: 'locked', seconds: spentExchangeSeconds };
    const tried = await chargeSecondFactor(inRealm(db, realm), accountId, now());
    if ('lockedMs' in tried) return { kind: 'locked', seconds: Math.ceil(tried.lockedMs / 1000) };
    return { kind: 'charged', left: Math.min(codesPerExchange - charged, tried.triesLeft) };
  }

  return async (signIn: SignIn, known: SignInOf): Promise<CheckedCode> => {
    const { exchange, realm } = signIn;
    const charged = await charge(signIn, known.accountId);
    if (charged.kind === 'locked') return { fact: charged, pass: null };
    const outcome = await spendAndKeep(signIn, known);
    if (outcome === 'invalid') return { fact: { kind: 'invalid', attemptsLeft: charged.left }, pass: null };
    const pass = outcome === 'used' ? await recallPass(ground, signIn, known) : outcome;
    if (pass === null) return { fact: { kind: 'used' }, pass };
    if (exchange.isNamed) await forgiveCodes(db, exchange.id);
    await forgiveSecondFactor(inRealm(db, realm), known.accountId);
    return { fact: { kind: 'passed', method: pass.method }, pass };
  };
}

type Charged =
  | { readonly kind: 'charged'; readonly left: number }
  | { readonly kind: 'locked'; readonly seconds: number };
