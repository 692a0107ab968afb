import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { newRecoveryCodes, newTotpSecret, normaliseCode, totpStep } from './totp.ts';

// The secret of RFC 6238's appendix B, "12345678901234567890", and the last six digits of its codes.
const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';
const vectors = [
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
] as const;

describe('a time-based code', () => {
  it('matches the vectors of RFC 6238', () => {
    for (const [seconds, code] of vectors) {
      expect(totpStep(secret, code, seconds * 1000)).toBe(Math.floor(seconds / 30));
    }
  });

  it('is accepted in its step and the two next to it, and always reports its own step', () => {
    const [seconds, code] = vectors[3];
    const step = Math.floor(seconds / 30);
    for (const beside of [-1, 0, 1]) {
      expect(totpStep(secret, code, (step + beside) * 30_000)).toBe(step);
      expect(totpStep(secret, code, (step + beside) * 30_000 + 29_999)).toBe(step);
    }
    for (const beyond of [-2, 2]) expect(totpStep(secret, code, (step + beyond) * 30_000)).toBe(null);
  });

  it('has exactly six digits', () => {
    for (const code of ['', '28708', '2870820', '28708a', ' 287082', '287082\n', '２８７０８２']) {
      expect(totpStep(secret, code, 59_000)).toBe(null);
    }
    fc.assert(
      fc.property(fc.string(), (text) => {
        fc.pre(!/^\d{6}$/.test(text));
        expect(totpStep(secret, text, 59_000)).toBe(null);
      }),
    );
  });
});

describe('a new second factor', () => {
  it('has 160 random bits', () => {
    const made = newTotpSecret(randomBytes);
    expect(made).toMatch(/^[A-Z2-7]{32}$/);
    expect(newTotpSecret(randomBytes)).not.toBe(made);
  });

  it('has ten different recovery codes, which are read in any spelling', () => {
    const codes = newRecoveryCodes(randomBytes);
    expect(new Set(codes).size).toBe(10);
    for (const code of codes) {
      expect(code).toMatch(/^[a-z2-7]{4}(-[a-z2-7]{4}){3}$/);
      expect(normaliseCode(` ${code.toUpperCase().replaceAll('-', ' ')} `)).toBe(normaliseCode(code));
    }
    expect(normaliseCode('287 082')).toBe('287082');
  });
});
