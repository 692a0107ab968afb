import { freshClickHouse } from '@tickrate/testkit';
import { afterAll, expect, test } from 'vitest';
import { connectClickHouse } from '../../clickhouse.ts';
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
