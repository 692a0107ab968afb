import { freshClickHouse } from '@tickrate/testkit';
import { afterAll, expect, test } from 'vitest';
import { connectClickHouse } from '../../clickhouse.ts';
import { confineQuery } from '../confining/confine-query.ts';
import { queryLimits } from '../query-limits.ts';

/*
 * Functions whose work or memory grows with the value of an argument, and not with the size of the query. They were
 * found by calling every allowed function of ClickHouse with large values and long texts at each place.
 */

const { url, database } = await freshClickHouse();
const clickhouse = connectClickHouse({ url, maxConnections: 2 });
afterAll(() => clickhouse.close());

const confined = (expression: string) => {
  const from = expression.includes(' FROM ') ? '' : ' FROM events';
  const sql = `SELECT ${expression}${from}`;
  const { mostCost } = queryLimits;
  return confineQuery(clickhouse, { sql, written: database, database, mostCost }, { timeoutMs: 30_000 });
};

const refusalOf = async (expression: string) => {
  const confinement = await confined(expression);
  return confinement.kind === 'refused' ? confinement.reason : null;
};

test.each(['randomString(100000000)', 'levenshteinDistance(repeat(user, 60000), repeat(user, 60000))'])(
  'the refusal of %s names the function as its author wrote it',
  async (expression) => {
    const message = expect.stringMatching(new RegExp(`^${expression.split('(')[0]}\\(\\) would compute `));
    expect(await confined(expression)).toMatchObject({ kind: 'refused', message });
  },
);

/** With a bounded value each is allowed, also for every row of a table. */
const growing: readonly (readonly [much: string, little: string])[] = [
  ['range(100000000)', 'range(1000)'],
  ['range(1, 100000000, 1)', 'range(1, 1000, 1)'],
  ["arrayWithConstant(100000000, 'a')", "arrayWithConstant(100, 'a')"],
  ['arrayResize([1], 100000000)', 'arrayResize([1], 100)'],
  ['timeSlots(toDateTime(0), 100000000, 1)', 'timeSlots(toDateTime(0), 3600, 60)'],
  ['mapPopulateSeries(map(1, 1), 100000000)', 'mapPopulateSeries(map(1, 1), 100)'],
  ['randomString(100000000)', 'randomString(16)'],
  ['randomStringUTF8(100000000)', 'randomStringUTF8(16)'],
  ['randomPrintableASCII(100000000)', 'randomPrintableASCII(16)'],
  ['randomFixedString(100000000)', 'randomFixedString(16)'],
  ['randomString(y) FROM (SELECT 100000 AS y FROM numbers(1000000))', 'randomString(length(user))'],
  ['toFixedString(user, 1000000)', 'toFixedString(user, 16)'],
  ["formatDateTime(now(), repeat('%Y', 500000))", "formatDateTime(received_at, '%Y-%m-%d')"],
  ["date_format(now(), repeat('%Y', 500000))", "date_format(received_at, '%Y-%m')"],
  ["formatDateTimeInJodaSyntax(now(), repeat('yyyy ', 200000))", "formatDateTimeInJodaSyntax(x, 'yyyy')"],
  ["parseDateTime('2026', repeat('%Y', 500000))", "parseDateTime(x, '%Y-%m-%d')"],
  ["fromUnixTimestamp(0, repeat('%Y', 500000))", "fromUnixTimestamp(x, '%Y')"],
  ['sqid(number, 1) FROM numbers(100000)', 'sqid(number, 1) FROM numbers(10000)'],
  ['sumResample(0, 100000000, 1)(x, y)', 'sumResample(-50, 100, 1)(x, y)'],
  ['approx_top_kResample(0, 1000000, 1)(x, y)', 'approx_top_kResample(0, 100, 5)(x, y)'],
  ['quantilesResample(0.5, 0.9, 0, 1000000, 1)(x, y)', 'quantilesResample(0.5, 0.9, 0, 60, 1)(x, y)'],
  ['countResampleIf(0, 100000000, 1)(x, y)', 'countResampleIf(0, 100, 1)(x, y)'],
];

test.each(growing)('%s is refused, and %s is allowed', async (much, little) => {
  expect(await refusalOf(much), much).toBe('cost');
  expect(await refusalOf(little), little).toBeNull();
});

test.each(['h3Line(1, 2)', 'numbers(10)', 'generateRandom()', 'sleep(1)'])(
  '%s is no allowed function',
  async (call) => {
    expect(await refusalOf(`${call} FROM events`)).toBe('function');
  },
);
