import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { longDecimal } from './long-decimal.ts';

function read(text: string): number {
  const point = text.indexOf('.');
  const bytes = Buffer.from(text);
  return longDecimal(bytes, 0, bytes.length, point < 0 ? 0 : text.length - point - 1);
}

const digits = (min: number, max: number) =>
  fc.array(fc.constantFrom(...'0123456789'), { minLength: min, maxLength: max }).map((list) => list.join(''));

describe('a long decimal', () => {
  test('is the nearest double, or undecided', () => {
    let decided = 0;
    fc.assert(
      fc.property(digits(1, 19), digits(1, 19), (whole, fraction) => {
        const text = `${whole}.${fraction}`;
        const value = read(text);
        if (Number.isNaN(value)) return;
        decided++;
        expect(value).toBe(Number(text));
      }),
      { numRuns: 20_000 },
    );
    expect(decided).toBeGreaterThan(1_000);
  });

  test('printed from a double is read as that double', () => {
    fc.assert(
      fc.property(fc.double({ min: 1e-4, max: 1e15, noNaN: true }), (value) => {
        const text = String(value);
        fc.pre(!text.includes('e'));
        const again = read(text);
        if (!Number.isNaN(again)) expect(again).toBe(value);
      }),
      { numRuns: 20_000 },
    );
  });

  test('is almost always decided for the numbers that games send', () => {
    const random = Array.from({ length: 2_000 }, (_, n) => String(Math.abs(Math.sin(n + 0.5)) * 1_000));
    const undecided = random.filter((text) => Number.isNaN(read(text)));
    expect(undecided.length).toBeLessThan(20);
  });

  test('halfway between two doubles is left to the engine', () => {
    // 2^53 + 1 is exactly halfway between two doubles.
    const middle = read('9007199254740993');
    expect(Number.isNaN(middle) || middle === Number('9007199254740993')).toBe(true);
    expect(read('9007199254740993.0000')).toBeNaN();
  });
});
