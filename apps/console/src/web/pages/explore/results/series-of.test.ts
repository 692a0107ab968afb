import { expect, test } from 'vitest';
import { periodsOf, seriesOf } from './series-of.ts';

const range = (from: string, to: string) => ({ fromMs: Date.parse(from), toMs: Date.parse(to) });
const iso = (times: readonly number[]) => times.map((at) => new Date(at).toISOString().slice(0, 16));

test('days begin at midnight of the zone, also where the clock changes', () => {
  const days = periodsOf(range('2026-10-24T10:00:00Z', '2026-10-27T00:00:00Z'), 'day', 'Europe/Berlin');
  expect(iso(days)).toEqual(['2026-10-23T22:00', '2026-10-24T22:00', '2026-10-25T23:00', '2026-10-26T23:00']);
});

test('hours begin at the full hour of the zone', () => {
  const hours = periodsOf(range('2026-11-22T10:20:00Z', '2026-11-22T12:00:00Z'), 'hour', 'Asia/Kolkata');
  expect(iso(hours)).toEqual(['2026-11-22T09:30', '2026-11-22T10:30', '2026-11-22T11:30']);
});

test('no hour is missing or doubled on the night when the clock goes back or forward', () => {
  for (const day of ['2026-10-25', '2026-03-29']) {
    const hours = periodsOf(range(`${day}T00:00:00Z`, `${day}T06:00:00Z`), 'hour', 'Europe/Berlin');
    expect(iso(hours)).toEqual([0, 1, 2, 3, 4, 5].map((hour) => `${day}T0${hour}:00`));
  }
});

test('weeks begin on Monday and months on the first', () => {
  const span = range('2026-11-22T00:00:00Z', '2026-12-02T00:00:00Z');
  expect(iso(periodsOf(span, 'week', 'UTC'))).toEqual([
    '2026-11-16T00:00',
    '2026-11-23T00:00',
    '2026-11-30T00:00',
  ]);
  expect(iso(periodsOf(span, 'month', 'UTC'))).toEqual(['2026-11-01T00:00', '2026-12-01T00:00']);
});

test('periods without an event are 0, and the largest series comes first', () => {
  const periods = periodsOf(range('2026-11-22T10:00:00Z', '2026-11-22T13:00:00Z'), 'hour', 'UTC');
  const { series } = seriesOf(
    [
      { at: '2026-11-22T10:00:00Z', series: 'small', value: 1 },
      { at: '2026-11-22T12:00:00.000Z', series: 'large', value: 5 },
    ],
    periods,
  );
  expect(series).toEqual([
    { name: 'large', values: [0, 0, 5] },
    { name: 'small', values: [1, 0, 0] },
  ]);
});
