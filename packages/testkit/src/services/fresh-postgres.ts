import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { afterAll } from 'vitest';
import { askForService } from './service-broker.ts';

export interface FreshPostgres {
  /** The URL of an empty database that no other test file uses. */
  readonly url: string;
  /** Ends all connections to it on the server, like a failover or an administrator. */
  terminateConnections(): Promise<void>;
  /** For apps whose tests need a row that another app writes. */
  run(statement: string): Promise<void>;
}

/** An empty database for one test file, dropped after it. Call it at the file's top level. */
export async function freshPostgres(): Promise<FreshPostgres> {
  const serverUrl = await askForService('postgres');
  if (serverUrl === null) throw new Error('There is no Postgres for tests');
  const name = `test_${randomBytes(6).toString('hex')}`;
  await runOn(serverUrl, `CREATE DATABASE ${name}`);
  afterAll(() => runOn(serverUrl, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`));

  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    terminateConnections: () =>
      runOn(serverUrl, `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}'`),
    run: (statement) => runOn(url.href, statement),
  };
}

async function runOn(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
