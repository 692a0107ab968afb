import { createHash } from 'node:crypto';
import { systemError } from '@tickrate/contract';
import { commonPasswords } from './common-passwords.ts';

interface GivenPassword {
  /** As it was typed; null if the client sent only the derived value. */
  readonly plain: string | null;
  /** Only compared with whole passwords. */
  readonly derived: string;
}

/** Null for an acceptable password. `email` is the address of the account. */
export type JudgePassword = (
  password: GivenPassword,
  email: string | null,
) => 'tooShort' | 'common' | 'contextual' | null;

const leastCharacters = 8;
const shortestClue = 4;
const product = 'tickrate';
const endings = ['', '1', '12', '123', '1234', '!', '1!', '123!', '2024', '2025', '2026'];

/** Creates its list of hashed passwords once. */
export function createPasswordJudge(): JudgePassword {
  const common = new Set(commonPasswords);
  const derivedCommon = new Set(commonPasswords.flatMap(variantsOf).map(derivePassword));
  return ({ plain, derived }, email) => {
    const clues = cluesIn(email ?? '');
    if (plain !== null) return judgePlain(plain, common, clues);
    if (derivedCommon.has(derived.toLowerCase())) return 'common';
    const guesses = clues.flatMap(variantsOf).map(derivePassword);
    return guesses.includes(derived.toLowerCase()) ? 'contextual' : null;
  };
}

/** Throws 4010 for a password that attackers try first. */
export function checkStrength(judge: JudgePassword, password: GivenPassword, email: string | null): void {
  const parameterInvalidReason = judge(password, email);
  if (parameterInvalidReason !== null) throw systemError('passwordTooWeak', { parameterInvalidReason });
}

function judgePlain(
  password: string,
  common: ReadonlySet<string>,
  clues: readonly string[],
): ReturnType<JudgePassword> {
  if ([...password].length < leastCharacters) return 'tooShort';
  const folded = password.toLowerCase();
  const stems = endings
    .filter((each) => folded.endsWith(each))
    .map((each) => folded.slice(0, folded.length - each.length));
  if (stems.some((stem) => common.has(stem)) || /^(.)\1*$/su.test(folded)) return 'common';
  return clues.some((clue) => folded.includes(clue)) ? 'contextual' : null;
}

/** The name of the product, and the part of the address before the `@`. */
function cluesIn(email: string): string[] {
  const localPart = email.slice(0, Math.max(0, email.lastIndexOf('@')));
  return [localPart.trim().toLowerCase(), product].filter(({ length }) => length >= shortestClue);
}

function variantsOf(word: string): string[] {
  const capitalised = `${word.charAt(0).toUpperCase()}${word.slice(1)}`;
  const stems = [...new Set([word, capitalised, word.toUpperCase()])];
  return stems.flatMap((stem) => endings.map((ending) => `${stem}${ending}`));
}

/** Clients can send this instead of a password: lower-case hex SHA-256 of a fixed prefix and the password, in UTF-8. */
export function derivePassword(password: string): string {
  return createHash('sha256').update(`HiveMPv1${password}`, 'utf8').digest('hex');
}
