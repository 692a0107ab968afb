import { expect, test } from 'vitest';
import { seriesOfRows } from './series-of-rows.ts';

const first = '2026-11-22T00:00:00.000Z';
const second = '2026-11-22T01:00:00.000Z';

test('orders times and series, and fills gaps with 0', () => {
  const { timesMs, series } = seriesOfRows([
    { at: second, name: 'rare', value: 1 },
    { at: first, name: 'often', value: 5 },
    { at: second, name: 'often', value: 7 },
  ]);
  expect(timesMs).toEqual([Date.parse(first), Date.parse(second)]);
  expect(series).toEqual([
    { name: 'often', values: [5, 7] },
    { name: 'rare', values: [0, 1] },
  ]);
});

test('keeps the eight largest series', () => {
  const rows = Array.from({ length: 12 }, (_, index) => ({ at: first, name: `type ${index}`, value: index }));
  expect(seriesOfRows(rows).series.map(({ name }) => name)).toEqual(
    [11, 10, 9, 8, 7, 6, 5, 4].map((index) => `type ${index}`),
  );
});
