import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { newRecoveryCodes, newTotpSecret, normaliseCode, otpauthUri, qrSvg, totpStep } from './totp.ts';

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
  it('is that of the standard', () => {
    for (const [seconds, code] of vectors) {
      expect(totpStep(secret, code, seconds * 1000)).toBe(Math.floor(seconds / 30));
    }
  });

  it('is good in its step and one beside, and is known by its own step whenever it is used', () => {
    const [seconds, code] = vectors[3];
    const step = Math.floor(seconds / 30);
    for (const beside of [-1, 0, 1]) {
      expect(totpStep(secret, code, (step + beside) * 30_000)).toBe(step);
      expect(totpStep(secret, code, (step + beside) * 30_000 + 29_999)).toBe(step);
    }
    for (const beyond of [-2, 2]) expect(totpStep(secret, code, (step + beyond) * 30_000)).toBe(null);
  });

  it('is six digits and nothing else', () => {
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
  it('has 160 random bits, and an address that authenticators read', () => {
    const made = newTotpSecret(randomBytes);
    expect(made).toMatch(/^[A-Z2-7]{32}$/);
    expect(newTotpSecret(randomBytes)).not.toBe(made);
    const uri = new URL(otpauthUri(made, { issuer: 'Sky: Harbour', label: 'a&b@example.test' }));
    expect(uri.protocol).toBe('otpauth:');
    const query = Object.fromEntries(uri.searchParams);
    expect(query).toMatchObject({ secret: made, algorithm: 'SHA1', digits: '6', period: '30' });
    expect(uri.searchParams.get('issuer')).toBe('Sky: Harbour');
  });

  it('is drawn without script, frames or addresses', () => {
    const svg = qrSvg(otpauthUri(secret, { issuer: 'Tickrate', label: '"><script>alert(1)</script>' }));
    expect(svg).toMatch(/^<svg /);
    expect(svg).not.toMatch(/script|href|alert/i);
  });

  it('comes with ten different codes that are read however they are typed', () => {
    const codes = newRecoveryCodes(randomBytes);
    expect(new Set(codes).size).toBe(10);
    for (const code of codes) {
      expect(code).toMatch(/^[a-z2-7]{4}(-[a-z2-7]{4}){3}$/);
      expect(normaliseCode(` ${code.toUpperCase().replaceAll('-', ' ')} `)).toBe(normaliseCode(code));
    }
    expect(normaliseCode('287 082')).toBe('287082');
  });
});
