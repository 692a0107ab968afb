import pg from 'pg';
import { expect, test } from 'vitest';
import { waitUntil } from '../wait-until.ts';
import { freshPostgres } from './fresh-postgres.ts';

const first = await freshPostgres();
const second = await freshPostgres();

test('each database is empty and separate from others', async () => {
  await run(first.url, 'CREATE TABLE things (id int)');
  expect(await run(second.url, "SELECT to_regclass('things') AS found")).toEqual([{ found: null }]);
  expect(await run(first.url, "SELECT to_regclass('things')::text AS found")).toEqual([{ found: 'things' }]);
});

test('connections are terminated from the side of the server', async () => {
  const client = new pg.Client({ connectionString: first.url });
  const codes: string[] = [];
  client.on('error', (error: Error & { code?: string }) => codes.push(error.code ?? ''));
  await client.connect();
  await first.terminateConnections();
  await waitUntil(() => codes.includes('57P01'), { what: 'the connection to be told' });
});

async function run(url: string, statement: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query(statement);
  await client.end();
  return rows;
}
