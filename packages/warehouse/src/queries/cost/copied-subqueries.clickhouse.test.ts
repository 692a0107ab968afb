import { freshClickHouse } from '@tickrate/testkit';
import { afterAll, expect, test } from 'vitest';
import { connectClickHouse } from '../../clickhouse.ts';
import { confineQuery } from '../confining/confine-query.ts';
import { queryLimits } from '../query-limits.ts';

/*
 * ClickHouse analyses a common table expression again for each place that reads it. Before these were rejected, it
 * analysed the shorter ones for 2 to 5 seconds, and rejected them then.
 */

const { url, database } = await freshClickHouse();
const clickhouse = connectClickHouse({ url, maxConnections: 2 });
afterAll(() => clickhouse.close());

async function reasonOf(sql: string): Promise<string> {
  const { mostCost } = queryLimits;
  const confined = { sql, written: database, database, mostCost };
  const answer = await confineQuery(clickhouse, confined, { timeoutMs: 30_000 });
  return answer.kind === 'refused' ? `${answer.reason}: ${answer.message}` : 'allowed';
}

const chain = (links: number, link: (at: number) => string) =>
  `WITH c0 AS (SELECT 1 AS x), ${Array.from({ length: links }, (_, at) => `c${at + 1} AS (${link(at)})`).join(', ')}`;
const doubled = (links: number) =>
  `${chain(links, (at) => `SELECT * FROM c${at} UNION ALL SELECT * FROM c${at}`)} SELECT count() FROM c${links}`;
/** Each definition has the name of the one that it reads. */
const nested = (levels: number): string =>
  levels === 0
    ? 'SELECT * FROM a'
    : `SELECT * FROM (WITH a AS (SELECT * FROM a UNION ALL SELECT * FROM a) ${nested(levels - 1)})`;
const read = (times: number) => Array.from({ length: times }, () => 'SELECT * FROM c').join(' UNION ALL ');

// Invariant (Queries): A short text never becomes a large tree: a query that reads its subqueries by name
// too often is rejected before ClickHouse analyses it
test.each<[name: string, sql: string]>([
  ['twice by each next one', doubled(24)],
  ['twice by each next one, a few times', doubled(13)],
  [
    'by joins',
    `${chain(20, (at) => `SELECT a.x FROM c${at} AS a CROSS JOIN c${at} AS b`)} SELECT count() FROM c20`,
  ],
  [
    'as values',
    `${chain(22, (at) => `SELECT (SELECT x FROM c${at}) + (SELECT x FROM c${at}) AS x`)} SELECT count() FROM c22`,
  ],
  [
    'as sets',
    `${chain(20, (at) => `SELECT x FROM c${at} WHERE x IN c${at} OR x NOT IN c${at}`)} SELECT count() FROM c20`,
  ],
  ['under one name', `WITH a AS (SELECT 1 AS x) ${nested(20)}`],
  ['by a chain of any length', `${chain(600, (at) => `SELECT x FROM c${at}`)} SELECT x FROM c600`],
])('subqueries that are read %s are rejected before they are analysed', async (_, sql) => {
  expect(await reasonOf(sql)).toBe(
    'cost: the query becomes too large: it reads its subqueries by name too often',
  );
});

test('constants are charged for each place that reads their subquery', async () => {
  const large = 'WITH c AS (SELECT length(range(2000000)) AS x)';
  expect(await reasonOf(`${large} ${read(2)}`)).toBe('allowed');
  expect(await reasonOf(`${large} ${read(200)}`)).toMatch(/^cost: range\(\) would compute /);
});

test.each<[name: string, sql: string]>([
  ['doubled a few times', doubled(6)],
  ['of one chain', `${chain(60, (at) => `SELECT x + 1 AS x FROM c${at} WHERE x > 0`)} SELECT x FROM c60`],
  [
    'in each part of a UNION',
    `${chain(6, (at) => `SELECT x + 1 AS x FROM c${at}`)} ${Array.from({ length: 8 }, () => 'SELECT x FROM c6').join(' UNION ALL ')}`,
  ],
  ['many times', `WITH c AS (SELECT type AS x FROM events) ${read(50)}`],
  [
    'by itself',
    'WITH RECURSIVE r AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM r WHERE n < 9) SELECT * FROM r',
  ],
])('subqueries that are read %s are allowed', async (_, sql) => {
  expect(await reasonOf(sql)).toBe('allowed');
});
