import { expect, test } from 'vitest';
import { barsOf, linesOf, type QueryAnswer, readRows } from './read-rows.ts';

function answer(columns: Readonly<Record<string, string>>, ...rows: readonly unknown[][]): QueryAnswer {
  const meta = Object.entries(columns).map(([name, type]) => ({ name, type }));
  const data = rows.map((row) => Object.fromEntries(meta.map(({ name }, index) => [name, row[index]])));
  return { meta, data };
}

test('numbers that are written as text become numbers, unless they would lose digits', () => {
  const { rows, columns } = readRows(
    answer({ n: 'UInt64', id: 'Nullable(Int64)', tags: 'Array(String)' }, ['12', '9007199254740993', ['a']]),
  );
  expect(columns.map(({ kind }) => kind)).toEqual(['number', 'number', 'text']);
  expect(rows).toEqual([[12, '9007199254740993', '["a"]']]);
});

test('bars are named by the texts of a row, or by its first column', () => {
  const rows = readRows(answer({ gpu: 'String', build: 'String', n: 'UInt64' }, ['A', null, '3']));
  expect(barsOf(rows, 'none')).toEqual([{ name: 'A · none', value: 3 }]);
  const steps = readRows(answer({ step: 'Int64', n: 'UInt64' }, ['1', '3']));
  expect(barsOf(steps, 'none')).toEqual([{ name: '1', value: 3 }]);
});

test('lines run over the first time, one for each text', () => {
  const times = { at: 'DateTime', region: 'String', n: 'UInt64' };
  const rows = readRows(
    answer(times, ['2026-11-02 00:00:00', 'eu', '2'], ['2026-11-01 00:00:00', 'us', '1']),
  );
  expect(linesOf(rows, 'none')).toEqual({
    xs: [Date.parse('2026-11-01T00:00:00Z'), Date.parse('2026-11-02T00:00:00Z')],
    isTime: true,
    series: [
      { name: 'eu', values: [null, 2] },
      { name: 'us', values: [1, null] },
    ],
  });
});

test('without a time, lines run over the first number; without a text, each other number is a line', () => {
  const rows = readRows(answer({ hour: 'UInt8', a: 'Float64', b: 'Float64' }, [0, 1, 2], [1, 3, 4]));
  expect(linesOf(rows, 'none')).toEqual({
    xs: [0, 1],
    isTime: false,
    series: [
      { name: 'a', values: [1, 3] },
      { name: 'b', values: [2, 4] },
    ],
  });
  expect(linesOf(readRows(answer({ name: 'String' }, ['x'])), 'none')).toBeNull();
});
