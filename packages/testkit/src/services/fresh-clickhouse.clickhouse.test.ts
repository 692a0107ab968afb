import { createClient } from '@clickhouse/client';
import { expect, test } from 'vitest';
import { freshClickHouse } from './fresh-clickhouse.ts';

const clickhouse = await freshClickHouse();

test('the database exists and is empty', async () => {
  const client = createClient({ url: clickhouse.url, database: clickhouse.database });
  const answer = await client.query({
    query:
      'SELECT currentDatabase() AS name, (SELECT count() FROM system.tables WHERE database = name) AS tables',
    format: 'JSONEachRow',
  });
  const rows = await answer.json<{ name: string; tables: string | number }>();
  await client.close();
  expect(rows.map((row) => [row.name, Number(row.tables)])).toEqual([[clickhouse.database, 0]]);
});
