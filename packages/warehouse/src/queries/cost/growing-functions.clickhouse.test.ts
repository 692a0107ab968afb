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

// Invariant (Queries): A function whose work grows with the value of an argument is charged for it before
// the query runs, and ordinary queries are allowed
test.each(['randomString(100000000)', 'levenshteinDistance(repeat(user, 60000), repeat(user, 60000))'])(
  'the refusal of %s names the function as its author wrote it',
  async (expression) => {
    const message = expect.stringMatching(new RegExp(`^${expression.split('(')[0]}\\(\\) would compute `));
    expect(await confined(expression)).toMatchObject({ kind: 'refused', message });
  },
);

/** With a limited value, each function is allowed, also for every row of a table. */
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
  ["URLHierarchy(concat('http://a/', repeat('a/', 100000)))", 'URLHierarchy(url)'],
  ["URLPathHierarchy(concat('http://a/', repeat('a/', 100000)))", 'URLPathHierarchy(url)'],
  [
    "cutURLParameter(repeat('a=b&', 100000), arrayMap(x -> toString(x), range(5000)))",
    "cutURLParameter(url, ['utm', 'ref'])",
  ],
  [
    "replaceRegexpAll(repeat('a', 200000), '(a)', repeat('\\\\1', 1500))",
    "replaceRegexpAll(url, '[0-9]+', 'N')",
  ],
  ["regexp_replace(repeat('a', 200000), '(a)', repeat('b', 3000))", "regexp_replace(url, '(a)', 'b')"],
  ["JSON_QUERY(concat('[', repeat('1,', 400000), '1]'), '$[*]')", "JSON_QUERY(body, '$.items[*].id')"],
  [
    `JSONExtractKeysAndValuesRaw(concat('{', repeat('"a":1,', 160000), '"b":1}'))`,
    'JSONExtractKeysAndValuesRaw(body)',
  ],
  [
    "JSONExtract(concat('[', repeat('1,', 400000), '1]'), 'Array(Int64)')",
    "JSONExtract(body, 'Array(Int64)')",
  ],
  ["JSONExtractArrayRaw(concat('[', repeat('1,', 400000), '1]'))", "JSONExtractArrayRaw(body, 'items')"],
  [
    `count() FROM events GROUP BY CUBE(${Array.from({ length: 12 }, (_, n) => `a % ${n + 2}`).join(', ')})`,
    'count() FROM events GROUP BY CUBE(type, version, a, b)',
  ],
  [
    `count() FROM events GROUP BY ${Array.from({ length: 20 }, (_, n) => `a % ${n + 2}`).join(', ')} WITH CUBE`,
    'count() FROM events GROUP BY ROLLUP(a, b, c, d, e, f)',
  ],
];

/** Queries of analysts. The sizes of its values are unknown, so the estimate must assume that they are small. */
const ordinary: readonly string[] = [
  'type, count() AS n FROM events GROUP BY type ORDER BY n DESC LIMIT 10',
  'toDate(received) AS day, uniqExact(session_id) AS sessions FROM events GROUP BY day ORDER BY day',
  'quantiles(0.5, 0.9, 0.99)(data.ms.:Float64) FROM events',
  "windowFunnel(3600)(received, type = 'a', type = 'b', type = 'c') AS step, account_id FROM events GROUP BY account_id",
  "sequenceCount('(?1)(?t<600)(?2)')(received, type = 'start', type = 'end') FROM events GROUP BY session_id",
  "countIf(retained[2]) FROM (SELECT retention(type = 'a', type = 'b') AS retained FROM events GROUP BY account_id)",
  "JSONExtractInt(body, 'level') AS level, count() FROM events GROUP BY level",
  "JSONExtract(body, 'items', 'Array(Tuple(id String, n Int64))') AS items FROM events",
  "arrayJoin(JSONExtractArrayRaw(body, 'items')) AS item, count() FROM events GROUP BY item",
  "JSON_VALUE(body, '$.user.country') AS country, count() FROM events GROUP BY country",
  "extract(url, '/levels/([0-9]+)') AS level, count() FROM events GROUP BY level",
  "extractAll(message, '[A-Z]+-[0-9]+') AS codes FROM events WHERE match(message, 'error|fail')",
  "replaceRegexpAll(url, '[0-9]+', 'N') AS page, count() FROM events GROUP BY page",
  "splitByChar('/', url)[2] AS part, domain(url), cutQueryString(url) FROM events",
  'a.account_id, count() FROM events AS a INNER JOIN events AS b ON a.account_id = b.account_id GROUP BY a.account_id',
  'account_id, received - lagInFrame(received) OVER (PARTITION BY account_id ORDER BY received) AS gap FROM events',
  'sum(amount) OVER (PARTITION BY account_id ORDER BY received ROWS BETWEEN 6 PRECEDING AND CURRENT ROW) FROM events',
  'toStartOfHour(received) AS hour, count() FROM events GROUP BY hour ORDER BY hour WITH FILL STEP 3600',
  'type, version, count() FROM events GROUP BY GROUPING SETS ((type), (type, version), ())',
  'type, argMax(version, received), anyLast(sdk_name) FROM events GROUP BY type',
  "account_id, groupArray(type) AS path, arrayStringConcat(arraySlice(arrayCompact(path), 1, 5), ' > ') AS steps FROM events GROUP BY account_id",
  'topK(10)(url), uniqCombined(account_id), avgIf(ms, ms > 0) FROM events',
  'account_id, max(received) AS last FROM events GROUP BY account_id LIMIT 1 BY account_id',
  "dateDiff('day', min(received), max(received)) AS days, count() FROM events GROUP BY account_id HAVING days > 7",
];

test.each(ordinary)('an ordinary query is allowed: %s', async (expression) => {
  expect(await refusalOf(expression), expression).toBeNull();
});

test.each(growing)('%s is refused, and %s is allowed', async (much, little) => {
  expect(await refusalOf(much), much).toBe('cost');
  expect(await refusalOf(little), little).toBeNull();
});

test.each(['h3Line(1, 2)', 'numbers(10)', 'generateRandom()', 'sleep(1)'])(
  '%s is not an allowed function',
  async (call) => {
    expect(await refusalOf(`${call} FROM events`)).toBe('function');
  },
);
