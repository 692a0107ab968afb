import { commonPasswords } from './common-passwords.ts';
import { derivePassword } from './derive-password.ts';

export type PasswordWeakness = 'tooShort' | 'common' | 'contextual';

export interface WeighedPassword {
  /** The password as it was typed, or else the derived value. */
  readonly password?: string | undefined;
  readonly derivedHex?: string | undefined;
  /** Public facts about the account: its address, the names of the project and of the product. */
  readonly context: { readonly emailAddress?: string | undefined; readonly names?: readonly string[] };
}

/** Null for an acceptable password. A derived value is only compared with whole passwords. */
export type JudgePassword = (weighed: WeighedPassword) => PasswordWeakness | null;

const leastCharacters = 8;
const shortestClue = 4;
const endings = ['', '1', '12', '123', '1234', '!', '1!', '123!', '2024', '2025', '2026'];

/** Creates its list of hashed passwords once. */
export function createPasswordJudge(): JudgePassword {
  const plain = new Set(commonPasswords);
  const derived = new Set(commonPasswords.flatMap(variantsOf).map(derivePassword));
  return ({ password, derivedHex, context }) => {
    const clues = cluesIn(context);
    if (password !== undefined) return judgePlain(password, plain, clues);
    if (derivedHex === undefined) return null;
    if (derived.has(derivedHex.toLowerCase())) return 'common';
    const guesses = clues.flatMap(variantsOf).map(derivePassword);
    return guesses.includes(derivedHex.toLowerCase()) ? 'contextual' : null;
  };
}

function judgePlain(
  password: string,
  common: ReadonlySet<string>,
  clues: readonly string[],
): PasswordWeakness | null {
  if ([...password].length < leastCharacters) return 'tooShort';
  const folded = password.toLowerCase();
  if (endings.some((ending) => folded.endsWith(ending) && common.has(withoutEnding(folded, ending)))) {
    return 'common';
  }
  if (/^(.)\1*$/su.test(folded)) return 'common';
  return clues.some((clue) => folded.includes(clue)) ? 'contextual' : null;
}

function withoutEnding(text: string, ending: string): string {
  return text.slice(0, text.length - ending.length);
}

function cluesIn({ emailAddress = '', names = [] }: WeighedPassword['context']): string[] {
  const localPart = emailAddress.slice(0, Math.max(0, emailAddress.lastIndexOf('@')));
  const clues = [localPart, ...names, ...names.map((name) => name.replaceAll(/\s+/g, ''))];
  return [...new Set(clues.map((clue) => clue.trim().toLowerCase()))].filter(
    (clue) => clue.length >= shortestClue,
  );
}

function variantsOf(word: string): string[] {
  const capitalised = `${word.charAt(0).toUpperCase()}${word.slice(1)}`;
  const stems = [...new Set([word, capitalised, word.toUpperCase()])];
  return stems.flatMap((stem) => endings.map((ending) => `${stem}${ending}`));
}
