import { freshClickHouse } from '@tickrate/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createWarehouse } from '../warehouse.ts';
import { readAtTable } from './analyses.ts';
import { conditionsSql, memberText } from './analysis-sql.ts';
import { breakdownQuery } from './breakdown.ts';

const { url, database } = await freshClickHouse();
const warehouse = createWarehouse({ clickhouseUrl: url, database });
const place = { database, cluster: null };

beforeAll(() => warehouse.migrate());
afterAll(() => warehouse.close());

const breakdown = breakdownQuery({
  fromMs: 0,
  toMs: Date.UTC(2026, 10, 3),
  timeZone: 'UTC',
  mostValues: 5,
  type: 'level_up',
  member: 'hero.name',
  where: [{ member: 'level', is: 'equal', value: 1 }],
});
const planOf = async (sql: string) => {
  const lines = await warehouse.query<{ explain: string }>(`EXPLAIN header = 1 ${sql}`);
  return lines.map(({ explain }) => explain).join('\n');
};

test('an analysis reads the members that it names, and no other', async () => {
  const throughAView = `WITH events AS (SELECT type, occurred, account_id, data FROM ${database}.events)\n${breakdown}`;
  expect(await planOf(throughAView)).toMatch(/ data JSON/);
  const plan = await planOf(readAtTable(breakdown, { place, projectId: 'p' }));
  expect(plan).toMatch(/data\.hero\.name/);
  expect(plan).toMatch(/data\.level/);
  expect(plan).not.toMatch(/ data JSON/);
});

test('a text that looks like a member stays a text', () => {
  const value = memberText('level');
  const condition = conditionsSql([{ member: 'hero', is: 'equal', value }]);
  const read = readAtTable(`SELECT count() FROM events WHERE ${condition}`, { place, projectId: 'p' });
  expect(read).toContain("ifNull(member_1 = 'CAST(data.`level`, \\'Nullable(String)\\')', 0)");
  expect(read).not.toContain('member_2');
});

test('a funnel whose steps have different types needs no check for events of two steps', async () => {
  const conditions = '0, 1, 2, 3'.split(', ').map((type) => `type = ${type}`);
  const reached = (mode: string, at: string) => `windowFunnel(9${mode})(${at}, ${conditions.join(', ')})`;
  const [row] = await warehouse.query<{ players: string; different: string; whole: string }>(`
SELECT count() AS players, countIf(plain != strict OR short != strict) AS different, countIf(strict = 4) AS whole FROM (
  SELECT ${reached('', 'toUInt64(at)')} AS plain, ${reached('', 'toUInt32(at)')} AS short,
    ${reached(", 'strict_once'", 'toUInt64(at)')} AS strict
  FROM (SELECT number % 4000 AS player, cityHash64(number, 'type') % 4 AS type, cityHash64(number, 'at') % 40 AS at FROM numbers(48000))
  GROUP BY player
)`);
  expect(row).toMatchObject({ players: '4000', different: '0' });
  expect(Number(row?.whole)).toBeGreaterThan(200);
});
