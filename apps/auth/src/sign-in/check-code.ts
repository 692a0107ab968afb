import {
  chargeCode,
  chargeSecondFactor,
  findTotp,
  forgiveSecondFactor,
  type InRealm,
  inRealm,
  passSecondFactor,
  spendRecoveryCode,
  spendStep,
} from '@tickrate/accounts';
import type { CodeFact } from '../exchange/facts.ts';
import { codeMark } from './find-proofs.ts';
import type { Ground, SignIn } from './sign-in.ts';

/** Reads codes; what they are spent against is the store's. */
export interface CodeReader {
  normaliseCode(text: string): string;
  /** The time step whose code this is, within one step of now; null when there is none. */
  totpStep(secret: string, code: string, nowMs: number): number | null;
}

type Spending = 'otp' | 'recovery' | 'used' | 'invalid';

export const codesPerExchange = 5;

/**
 * Whether the code in the request is this account's, by its authenticator or one of its recovery codes. Every try is
 * counted before it is looked at; a code is spent by the one statement that finds it unspent.
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

  return async (signIn: SignIn, accountId: string): Promise<CodeFact> => {
    const { exchange, request, realm } = signIn;
    const charged = await chargeCode(db, exchange.id, codesPerExchange);
    if (charged === null)
      return { kind: 'locked', seconds: Math.ceil((exchange.touched.getTime() + 600_000 - now()) / 1000) };
    const people = inRealm(db, realm);
    const tried = await chargeSecondFactor(people, accountId, now());
    if ('lockedMs' in tried) return { kind: 'locked', seconds: Math.ceil(tried.lockedMs / 1000) };
    const code = reader.normaliseCode(request.twoFactor?.twoFactorCode ?? '');
    const outcome = await spend(people, accountId, code);
    if (outcome === 'invalid') {
      return { kind: 'invalid', attemptsLeft: Math.min(codesPerExchange - charged, tried.triesLeft) };
    }
    if (outcome === 'used') return { kind: 'used' };
    await passSecondFactor(db, {
      id: exchange.id,
      accountId,
      method: `${outcome}:${codeMark(ground, signIn)}`,
    });
    await forgiveSecondFactor(people, accountId);
    return { kind: 'passed', method: outcome };
  };
}
