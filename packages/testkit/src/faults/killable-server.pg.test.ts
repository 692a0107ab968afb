import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { startPostgresServer } from './killable-server.ts';

test('a PostgreSQL can be frozen, and killed without losing a commit', { timeout: 60_000 }, async () => {
  const server = await startPostgresServer();
  onTestFinished(() => server.stop());
  await ask(server.url, 'CREATE TABLE kept AS SELECT 7 AS level');
  server.freeze();
  await expect(ask(server.url, 'SELECT 1')).rejects.toThrow(/timeout/);
  server.resume();
  expect(await ask(server.url, 'SELECT level FROM kept')).toEqual([{ level: 7 }]);
  await server.kill();
  await expect(ask(server.url, 'SELECT 1')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  await server.restart();
  expect(await ask(server.url, 'SELECT level FROM kept')).toEqual([{ level: 7 }]);
});

async function ask(connectionString: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 500, query_timeout: 5_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return (await client.query(sql)).rows;
  } finally {
    await client.end().catch(() => undefined);
  }
}
