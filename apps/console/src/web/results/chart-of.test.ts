import { describe, expect, test } from 'vitest';
import { createFormats } from '../time/format-values.ts';
import { barsOf, chartOf, linesOf, numberOf } from './chart-of.ts';
import { headOf, readTime, type Shape, shapeOf, shownText } from './read-result.ts';

const reading = { zone: 'UTC', formats: createFormats('en', 'UTC'), without: 'none' };

function shape(columns: Readonly<Record<string, string>>, ...rows: readonly unknown[][]): Shape {
  return { columns: Object.entries(columns).map(([name, type]) => ({ name, type })), rows };
}

describe.each(['UTC', 'Europe/Berlin', 'America/New_York'])('on a page in %s', (zone) => {
  const formats = createFormats('en', zone);
  const days = ['Date', 'Date32', 'Nullable(Date)', 'LowCardinality(Date)', 'LowCardinality(Nullable(Date))'];

  test.each(days)('a day of the type %s is that day, also when the clocks change', (type) => {
    for (const day of ['2026-03-08', '2026-03-29', '2026-10-25', '2026-11-01', '2026-11-17'])
      expect(formats.time(readTime(day, type, zone))).toBe(`${formats.date(`${day}T12:00:00Z`)}, 00:00:00`);
    const days = shape({ day: type, n: 'UInt64' }, ['2026-10-25', '1'], ['2026-10-26', '2']);
    const lines = linesOf(days, { zone, formats, without: '' });
    expect([lines?.xKind, lines?.xs.map(formats.day)]).toEqual(['date', ['25 Oct', '26 Oct']]);
  });

  test.each([
    ['DateTime', '2026-03-29 01:30:00', '2026-03-29T01:30:00Z'],
    ['DateTime64(3)', '2026-03-29 01:30:00.250', '2026-03-29T01:30:00.250Z'],
    ["DateTime('UTC')", '2026-10-25 00:30:00', '2026-10-25T00:30:00Z'],
    ["DateTime('Europe/Berlin')", '2026-03-29 01:59:00', '2026-03-29T00:59:00Z'],
    ["DateTime('Europe/Berlin')", '2026-03-29 03:00:00', '2026-03-29T01:00:00Z'],
    ["Nullable(DateTime('Europe/Berlin'))", '2026-10-25 03:00:00', '2026-10-25T02:00:00Z'],
    ["LowCardinality(DateTime('Europe/Berlin'))", '2026-10-25 01:59:59', '2026-10-24T23:59:59Z'],
    ["DateTime64(6, 'America/New_York')", '2026-03-08 03:00:00.500000', '2026-03-08T07:00:00.500Z'],
    ["Nullable(DateTime64(3, 'America/New_York'))", '2026-11-01 02:00:00.000', '2026-11-01T07:00:00Z'],
  ])('a time of the type %s, %s, is the same instant', (type, text, instant) => {
    expect(readTime(text, type, zone)).toBe(Date.parse(instant));
  });

  // The same saved query as a table, as bars and as a line; around both changes of the clocks.
  test.each([
    ['DateTime', '2026-10-25 00:00:00', '2026-10-25T00:00:00Z'],
    ["DateTime('America/New_York')", '2026-11-01 00:30:00', '2026-11-01T04:30:00Z'],
    ['String', '2026-03-29T01:00:00Z', '2026-03-29T01:00:00Z'],
    ["Nullable(DateTime64(3, 'Europe/Berlin'))", '2026-03-29 03:00:00.000', '2026-03-29T01:00:00Z'],
    ['Date', '2026-10-25', null],
  ])('a table, bars and lines show %s %s alike', (type, text, instant) => {
    const rows = shapeOf({
      meta: [
        { name: 'n', type: 'UInt8' },
        { name: 'at', type },
      ],
      data: [{ at: text, n: 3 }],
    });
    const [, at] = rows.columns;
    if (at === undefined) throw new Error('the column is missing');
    const shown = instant === null ? '25 Oct 2026' : formats.time(instant);
    const read = { zone, formats, without: '' };
    expect(shownText(text, at, read)).toBe(shown);
    expect(barsOf(rows, read)).toEqual([{ name: shown, value: 3 }]);
    const x = linesOf(rows, read)?.xs[0] ?? Number.NaN;
    expect(instant === null ? formats.date(x) : formats.time(x)).toBe(shown);
    expect(headOf(at, zone)).toBe(instant === null ? 'at' : `at (${zone})`);
  });

  test('a time keeps its fraction, and the two hours of a change of the clocks stay two bars', () => {
    const time = { name: 'at', type: 'DateTime64(6)' };
    expect(shownText('2026-10-25 00:30:00.250000', time, { zone, formats })).toMatch(/:30:00\.25$/);
    const hours = shape(
      { at: 'DateTime', n: 'UInt8' },
      ['2026-10-25 00:00:00', 1],
      ['2026-10-25 01:00:00', 2],
    );
    const bars = barsOf(hours, { zone, formats, without: '' });
    expect([bars.map(({ value }) => value), new Set(bars.map(({ name }) => name)).size]).toEqual([[1, 2], 2]);
  });
});

test('a day that begins at 01:00 in the zone of the page is that day', () => {
  const formats = createFormats('en', 'Africa/Cairo');
  expect(formats.date(readTime('2026-04-24', 'Date', 'Africa/Cairo'))).toBe('24 Apr 2026');
});

test('lines run over the time, one for each text; rows of the same time are added up, and a missing one is a gap', () => {
  const times = { at: "DateTime('Europe/Berlin')", region: 'LowCardinality(String)', n: 'UInt64' };
  const rows = shape(
    times,
    ['2026-11-02 01:00:00', 'eu', '2'],
    ['2026-11-01 01:00:00', 'us', '1'],
    ['2026-11-02 01:00:00', 'eu', '3'],
    ['2026-11-01 01:00:00', 'eu', null],
  );
  expect(chartOf(rows, reading)).toBe('line');
  expect(linesOf(rows, reading)).toEqual({
    xs: [Date.parse('2026-11-01T00:00:00Z'), Date.parse('2026-11-02T00:00:00Z')],
    xKind: 'time',
    series: [
      { name: 'eu', values: [null, 5] },
      { name: 'us', values: [1, null] },
    ],
  });
});

test('without a time, lines run over the first number; without a text, each other number is a line', () => {
  const rows = shape({ hour: 'UInt8', a: 'Float64', b: 'Float64' }, [0, 1, 2], [1, 3, 4]);
  expect(linesOf(rows, reading)).toEqual({
    xs: [0, 1],
    xKind: 'number',
    series: [
      { name: 'b', values: [2, 4] },
      { name: 'a', values: [1, 3] },
    ],
  });
  expect(linesOf(shape({ name: 'String' }, ['x']), reading)).toBeNull();
});

test('bars are named by the texts of a row, or by its first column', () => {
  const rows = shape({ gpu: 'String', build: 'String', n: 'UInt64' }, ['A', null, '3']);
  expect(barsOf(rows, reading)).toEqual([{ name: 'A · none', value: 3 }]);
  expect(barsOf(shape({ step: 'Int64', n: 'UInt64' }, ['1', '3']), reading)).toEqual([
    { name: '1', value: 3 },
  ]);
});

test('a result is drawn as bars for names and numbers, as one number, and else as a table', () => {
  const bars = shape({ level: 'Nullable(Int64)', n: 'UInt64' }, ['1', '4']);
  expect(chartOf(bars, reading)).toBe('bar');
  const number = shape({ n: 'UInt64' }, ['7']);
  expect([chartOf(number, reading), numberOf(number)]).toEqual(['number', { name: 'n', value: 7 }]);
  expect(chartOf(shape({ n: 'UInt64' }, ['1'], ['2']), reading)).toBe('table');
  expect(chartOf(shape({ m: 'Map(String, Int8)', n: 'UInt64' }, [{}, '1']), reading)).toBe('table');
  expect(chartOf(shape({ name: 'String', n: 'Int64' }, ['a', '-1']), reading)).toBe('table');
});

test('a period without a row breaks the lines, and raw times do not', () => {
  const days = ['2026-11-09', '2026-11-10', '2026-11-12', '2026-11-13', '2026-11-20'];
  const counts = linesOf(shape({ day: 'Date', n: 'UInt8' }, ...days.map((day) => [day, 1])), reading);
  expect(counts?.series[0]?.values).toEqual([1, 1, null, 1, 1, null, 1]);
  const times = ['09:00:00', '09:00:01', '09:10:00', '09:50:00'].map((time) => [`2026-11-09 ${time}`, 1]);
  expect(linesOf(shape({ at: 'DateTime', n: 'UInt8' }, ...times), reading)?.xs).toHaveLength(4);
});
