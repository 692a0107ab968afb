import { systemError } from '@tickrate/contract';
import type { JudgePassword, PasswordWeakness } from './password-weakness.ts';

export interface GivenPassword {
  readonly plain: string | null;
  readonly derived: string;
}

/** Null for an acceptable password. */
export type WeighPassword = (password: GivenPassword, email: string | null) => PasswordWeakness | null;

/** Throws 4010 for a password that attackers try first. */
export type CheckStrength = (password: GivenPassword, email: string | null) => void;

export function createWeighPassword(judge: JudgePassword): WeighPassword {
  return ({ plain, derived }, email) =>
    judge({
      ...(plain === null ? { derivedHex: derived } : { password: plain }),
      context: { ...(email !== null && { emailAddress: email }), names: ['tickrate'] },
    });
}

export function createStrengthCheck(weigh: WeighPassword): CheckStrength {
  return (password, email) => {
    const parameterInvalidReason = weigh(password, email);
    if (parameterInvalidReason !== null) throw systemError('passwordTooWeak', { parameterInvalidReason });
  };
}
