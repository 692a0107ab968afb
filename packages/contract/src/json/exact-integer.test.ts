import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { exactInteger } from './exact-integer.ts';

describe('an integer written with a decimal point or an exponent', () => {
  test('keeps every digit', () => {
    const wide = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 64n - 1n });
    fc.assert(
      fc.property(wide, fc.nat({ max: 15 }), (value, places) => {
        const digits = String(value < 0n ? -value : value);
        const sign = value < 0n ? '-' : '';
        expect(exactInteger(`${sign}${digits}.${'0'.repeat(places + 1)}`)).toBe(value);
        expect(exactInteger(`${sign}${digits[0]}.${digits.slice(1)}0E+${digits.length - 1}`)).toBe(value);
        expect(exactInteger(`${sign}${digits}${'0'.repeat(places)}e-${places}`)).toBe(value);
      }),
    );
  });

  test.each([
    ['1e19', 10n ** 19n],
    ['0.0000000000000000000000001e25', 1n],
    ['9007199254740993.5', null],
    ['1e-1', null],
    ['1e40', null],
    ['1e99999', null],
    ['0e9999', null],
    ['0.00', 0n],
    ['', null],
  ])('%j is read as %s', (text, value) => {
    expect(exactInteger(text)).toBe(value);
  });
});
