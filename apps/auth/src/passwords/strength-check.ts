import { systemError } from '@tickrate/contract';
import type { JudgePassword } from './password-weakness.ts';

export interface GivenPassword {
  readonly plain: string | null;
  readonly derived: string;
}

/** Throws 4010 for a password that anyone would try first. */
export type CheckStrength = (password: GivenPassword, email: string | null) => void;

export function createStrengthCheck(judge: JudgePassword): CheckStrength {
  return ({ plain, derived }, email) => {
    const parameterInvalidReason = judge({
      ...(plain === null ? { derivedHex: derived } : { password: plain }),
      context: { ...(email !== null && { emailAddress: email }), names: ['tickrate'] },
    });
    if (parameterInvalidReason !== null) throw systemError('passwordTooWeak', { parameterInvalidReason });
  };
}
