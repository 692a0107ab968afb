import { createHash } from 'node:crypto';
import { systemError } from '@tickrate/contract';

export interface GivenPassword {
  readonly plain: string | null;
  readonly derived: string;
}

const shortest = 8;

/** The words that lists of leaked passwords begin with; digits are added to each as people add them. */
const words = [
  ...[
    'password',
    'passw0rd',
    'qwertyui',
    'qwertyuiop',
    'iloveyou',
    'princess',
    'sunshine',
    'football',
    'baseball',
  ],
  ...[
    'superman',
    'trustno1',
    'starwars',
    'whatever',
    'computer',
    'michelle',
    'jennifer',
    'dragon',
    'monkey',
    'letmein',
  ],
  ...[
    'welcome',
    'shadow',
    'master',
    'admin',
    'administrator',
    'abc',
    'qwerty',
    'changeme',
    'secret',
    'hello',
  ],
];
const endings = [
  '',
  '1',
  '12',
  '123',
  '1234',
  '12345',
  '123456',
  '1234567',
  '12345678',
  '!',
  '1!',
  '123!',
  '0',
  '00',
  '2024',
  '2025',
  '2026',
];

/** Refuses passwords that anyone would try first, in both forms. Throws 4010. */
export function createStrengthCheck(): (password: GivenPassword, email: string | null) => void {
  const common = commonHashes();
  return ({ plain, derived }, email) => {
    if (plain !== null && [...plain].length < shortest) throw weak('tooShort');
    if (common.has(derived)) throw weak('common');
    if (email === null) return;
    const folded = email.toLowerCase();
    const contextual = [email, folded, folded.split('@', 1)[0] ?? ''].map(derive);
    if (contextual.includes(derived)) throw weak('contextual');
  };
}

function commonHashes(): ReadonlySet<string> {
  const hashes = new Set<string>();
  for (const word of words) {
    for (const form of [word, word.toUpperCase(), word.charAt(0).toUpperCase() + word.slice(1)]) {
      for (const ending of endings) hashes.add(derive(form + ending));
    }
  }
  for (let length = 1; length <= 12; length++) {
    for (const digits of ['123456789012', '012345678901', '987654321098'])
      hashes.add(derive(digits.slice(0, length)));
    for (let digit = 0; digit <= 9; digit++) hashes.add(derive(String(digit).repeat(length)));
  }
  return hashes;
}

function derive(password: string): string {
  return createHash('sha256').update(`HiveMPv1${password}`, 'utf8').digest('hex');
}

function weak(parameterInvalidReason: 'tooShort' | 'common' | 'contextual'): Error {
  return systemError('passwordTooWeak', { parameterInvalidReason });
}
