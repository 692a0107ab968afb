import { freshClickHouse } from '@tickrate/testkit';
import { afterAll, expect, test } from 'vitest';
import { connectClickHouse } from '../../clickhouse.ts';
import { queryLimits } from '../query-limits.ts';
import { confineQuery } from './confine-query.ts';

const { url, database } = await freshClickHouse();
const clickhouse = connectClickHouse({ url, maxConnections: 2 });
afterAll(() => clickhouse.close());

const confine = (sql: string) =>
  confineQuery(
    clickhouse,
    { sql, written: database, database, mostCost: queryLimits.mostCost },
    { timeoutMs: 10_000 },
  );

test.each([
  'arrayJoin(groupArray(x))',
  'arrayJoin(groupUniqArray(x))',
  'arrayJoin(topK(3)(x))',
  'arrayJoin(groupArray(10)(x))',
  'arrayJoin(arraySlice(groupArray(x), 1, 5))',
  'groupArray(x) AS g, arrayJoin(arraySort(g))',
])('%s is allowed: it makes no more rows than were read', async (sql) => {
  expect(await confine(`SELECT ${sql} FROM events`)).toMatchObject({ kind: 'allowed' });
});

test.each([
  'SELECT arrayJoin(groupArray(number)) FROM numbers(1000000000)',
  'SELECT arrayJoin(arrayConcat(groupArray(x), range(1000000))) FROM events GROUP BY y',
  'SELECT arrayJoin(groupArrayInsertAt(0, 1000000)(x, 1)), arrayJoin(range(1000000)) FROM events GROUP BY y',
])('refused: %s', async (sql) => {
  expect(await confine(sql)).toMatchObject({ kind: 'refused', reason: 'cost' });
});

test('FORMAT in the query is refused with what to do instead', async () => {
  expect(await confine('SELECT 1 FORMAT JSON')).toMatchObject({
    message: 'leave FORMAT out: use the member `format`',
  });
});
