import { expect, test } from 'vitest';
import { fixedRangeText, parseRange, rangeBefore, readRangeText, resolveRange } from './time-range.ts';

const now = Date.parse('2026-11-22T12:00:00Z');

test('reads ranges that end now', () => {
  expect(resolveRange('24h', now)).toEqual({ fromMs: now - 86_400_000, toMs: now });
  expect(resolveRange('15m', now)).toEqual({ fromMs: now - 900_000, toMs: now });
});

test('reads back the fixed range that it wrote', () => {
  const fixed = { fromMs: now - 5_000, toMs: now };
  expect(resolveRange(fixedRangeText(fixed), now + 1)).toEqual(fixed);
});

test.each([
  '',
  'x',
  '0h',
  '-1h',
  '9999d',
  '5w',
  '24h..',
  '2026-11-02T00:00Z..2026-11-01T00:00Z',
  'a..b',
  '1h..2h..3h',
])('replaces %j by the default', (text) => {
  expect(parseRange(text)).toBeNull();
  expect(readRangeText(text)).toBe('24h');
});

test('finds the range of the same length before', () => {
  expect(rangeBefore({ fromMs: 100, toMs: 150 })).toEqual({ fromMs: 50, toMs: 100 });
});
