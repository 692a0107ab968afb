import { freshClickHouse } from '@tickrate/testkit';
import { afterAll, expect, test } from 'vitest';
import { connectClickHouse } from '../../clickhouse.ts';
import { limitSettings, queryLimits } from '../query-limits.ts';
import { confineQuery } from './confine-query.ts';

const { url, database } = await freshClickHouse();
const clickhouse = connectClickHouse({ url, maxConnections: 2 });
afterAll(() => clickhouse.close());

const confine = (sql: string) =>
  confineQuery(clickhouse, { sql, written: database, database }, { timeoutMs: 10_000 });

test('FORMAT in the query is refused with what to do instead', async () => {
  expect(await confine('SELECT 1 FORMAT JSON')).toMatchObject({
    message: 'leave FORMAT out: use the member `format`',
  });
});

test('a project with many types and long comments is listed as a whole', async () => {
  const columns = Array.from({ length: 100 }, (_, at) => ({
    name: `member_${at}`,
    type: 'Nullable(String)',
    comment: `It's \\ "${'x'.repeat(400)}"\n`,
  }));
  const tables = Array.from({ length: 100 }, (_, at) => ({ name: `type_${at}`, comment: '', columns }));
  const catalogue = { database, tables, user: 'p-1', version: '1' };
  const sql = 'SELECT count(), uniqExact(table), any(comment) FROM system.columns';
  const confined = await confineQuery(
    clickhouse,
    { sql, written: database, database, catalogue },
    { timeoutMs: 10_000 },
  );
  if (confined.kind !== 'allowed') throw new Error(confined.message);
  const [row] = await clickhouse.rows<Record<string, unknown>>(confined.sql, {
    timeoutMs: 10_000,
    settings: limitSettings(queryLimits),
  });
  expect(Object.values(row ?? {})).toEqual(['10000', '100', columns[0]?.comment]);
});
