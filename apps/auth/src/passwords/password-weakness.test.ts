import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { commonPasswords } from './common-passwords.ts';
import { createPasswordJudge, derivePassword } from './password-weakness.ts';

const judge = createPasswordJudge();
const email = 'Marigold.Finch@example.test';

function judgeTyped(plain: string, of: string | null = null) {
  return judge({ plain, derived: derivePassword(plain) }, of);
}

function judgeDerived(password: string, of: string | null = null) {
  return judge({ plain: null, derived: derivePassword(password) }, of);
}

describe('a derived password', () => {
  it('is the value that game clients send', () => {
    expect(derivePassword('test')).toBe('e72919d00bd0e67c796192a601d21b805cf92dfe3ecf019be57a182cb320a25a');
  });
});

describe('the check of passwords', () => {
  it('knows several hundred common passwords, each once', () => {
    expect(commonPasswords.length).toBeGreaterThan(500);
    expect(commonPasswords.map((each) => each.toLowerCase())).toEqual(commonPasswords);
  });

  it('refuses every common password in both forms, or else as too short', () => {
    for (const password of commonPasswords) {
      expect(judgeTyped(password)).toBe([...password].length < 8 ? 'tooShort' : 'common');
      expect(judgeDerived(password)).toBe('common');
    }
  });

  it('sees through capitals and usual endings in both forms', () => {
    for (const password of ['Password123', 'PASSWORD1!', 'Sunshine2026', 'Qwertyuiop!']) {
      expect(judgeTyped(password)).toBe('common');
      expect(judgeDerived(password)).toBe('common');
    }
  });

  it('counts characters and not bytes', () => {
    expect(judgeTyped('ключи-7')).toBe('tooShort');
    expect(judgeTyped('🔑🗝🔒🔓🔏🔐🧷🪝')).toBe(null);
  });

  it('refuses one character many times over', () => {
    expect(judgeTyped('zzzzzzzzzzzz')).toBe('common');
  });

  it('refuses a password that contains the local part of the address or the name of the product', () => {
    for (const password of ['xxmarigold.finchxx', 'I-love-TICKRATE-so']) {
      expect(judgeTyped(password, email)).toBe('contextual');
    }
    expect(judgeDerived('Tickrate123', email)).toBe('contextual');
    expect(judgeDerived('marigold.finch1', email)).toBe('contextual');
  });

  it('takes no local part of three letters for a clue', () => {
    expect(judgeTyped('abandoned-quarry-9', 'abn@x.test')).toBe(null);
    expect(judgeTyped('ann-of-green-9', 'ann@x.test')).toBe(null);
  });

  it('accepts long random passwords in both forms', () => {
    const random = fc.string({ minLength: 24, maxLength: 60, unit: 'grapheme-ascii' });
    fc.assert(
      fc.property(random, (password) => {
        fc.pre(new Set(password).size > 8);
        expect(judgeTyped(password)).toBe(null);
        expect(judgeDerived(password)).toBe(null);
      }),
    );
  });
});
