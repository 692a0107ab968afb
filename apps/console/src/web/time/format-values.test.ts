import { expect, test } from 'vitest';
import { createFormats } from './format-values.ts';

const english = createFormats('en', 'UTC');
const german = createFormats('de', 'Europe/Berlin');
const noon = '2026-11-22T12:00:00.000Z';

test('writes times in the chosen zone and language', () => {
  expect(english.time(noon)).toBe('22 Nov 2026, 12:00:00');
  expect(german.time(noon)).toBe('22.11.2026, 13:00:00');
  expect(german.clock(noon)).toBe('13:00:00');
  expect(english.time('nonsense')).toBe('–');
});

test('writes numbers and amounts with units', () => {
  expect(english.number(12_345.678)).toBe('12,345.68');
  expect(german.number(12_345.678)).toBe('12.345,68');
  expect(english.compact(1_234_567)).toBe('1.2M');
  expect(english.compact(9_999)).toBe('9,999');
  expect(english.compact(87_512.4)).toBe('87,512');
  expect(english.percent(0.0345)).toBe('3.5%');
  expect([0.4, 0.393].map((each) => english.percent(each, 'aligned'))).toEqual(['40.0%', '39.3%']);
  expect(english.percent(Number.NaN)).toBe('–');
  expect(english.bytes(1536)).toBe('1.5 KiB');
  expect(english.duration(0.25)).toBe('250 ms');
  expect(english.duration(200)).toBe('3.3 min');
});

test('writes how long ago something was', () => {
  const now = Date.parse(noon);
  expect(english.ago(now - 5 * 60_000, now)).toBe('5 minutes ago');
  expect(english.ago(now, now)).toBe('now');
});
