import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { commonPasswords } from './common-passwords.ts';
import { derivePassword } from './derive-password.ts';
import { createPasswordJudge } from './password-weakness.ts';

const judge = createPasswordJudge();
const context = { emailAddress: 'Marigold.Finch@example.test', names: ['Tickrate', 'Sky Harbour'] };

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
      expect(judge({ password, context: {} })).toBe([...password].length < 8 ? 'tooShort' : 'common');
      expect(judge({ derivedHex: derivePassword(password), context: {} })).toBe('common');
    }
  });

  it('sees through capitals and usual endings in both forms', () => {
    for (const password of ['Password123', 'PASSWORD1!', 'Sunshine2026', 'Qwertyuiop!']) {
      expect(judge({ password, context: {} })).toBe('common');
      expect(judge({ derivedHex: derivePassword(password), context: {} })).toBe('common');
    }
  });

  it('counts characters and not bytes', () => {
    expect(judge({ password: 'ключи-7', context: {} })).toBe('tooShort');
    expect(judge({ password: '🔑🗝🔒🔓🔏🔐🧷🪝', context: {} })).toBe(null);
  });

  it('refuses one character many times over', () => {
    expect(judge({ password: 'zzzzzzzzzzzz', context: {} })).toBe('common');
  });

  it('refuses a password that contains the local part of the address or a name of the product or project', () => {
    for (const password of [
      'xxmarigold.finchxx',
      'I-love-TICKRATE-so',
      'skyharbour-99-x',
      'in sky harbour!',
    ]) {
      expect(judge({ password, context })).toBe('contextual');
    }
    expect(judge({ derivedHex: derivePassword('Skyharbour123'), context })).toBe('contextual');
    expect(judge({ derivedHex: derivePassword('marigold.finch1'), context })).toBe('contextual');
  });

  it('takes no local part of three letters for a clue', () => {
    expect(judge({ password: 'abandoned-quarry-9', context: { emailAddress: 'abn@x.test' } })).toBe(null);
    expect(judge({ password: 'ann-of-green-9', context: { emailAddress: 'ann@x.test' } })).toBe(null);
  });

  it('accepts long random passwords in both forms', () => {
    const random = fc.string({ minLength: 24, maxLength: 60, unit: 'grapheme-ascii' });
    fc.assert(
      fc.property(random, (password) => {
        fc.pre(new Set(password).size > 8);
        expect(judge({ password, context: {} })).toBe(null);
        expect(judge({ derivedHex: derivePassword(password), context: {} })).toBe(null);
      }),
    );
  });
});
