import { randomInt } from 'node:crypto';
import { ClickHouseError, createClient } from '@clickhouse/client';
import { afterAll } from 'vitest';
import { testDatabases } from './embedded-services.ts';
import { askForService } from './service-broker.ts';

export interface FreshClickHouse {
  /** The URL of the server, shared by all test files of a run. */
  readonly url: string;
  /** The name of an empty database that no other test file uses. */
  readonly database: string;
  /** Runs a statement in the database. */
  run(sql: string): Promise<void>;
}

/** An empty database for one test file, dropped after it. Call it at the file's top level. */
export async function freshClickHouse(): Promise<FreshClickHouse> {
  const url = await askForService('clickhouse');
  if (url === null) throw new Error('There is no ClickHouse for tests');
  const database = await takeDatabase(url);
  afterAll(() => runOn(url, `DROP DATABASE IF EXISTS ${database} SYNC`));
  return { url, database, run: (sql) => runOn(url, sql, database) };
}

/** A database that no other test file uses at this time: creating it claims it. */
async function takeDatabase(url: string): Promise<string> {
  const start = randomInt(testDatabases.length);
  for (const at of testDatabases.keys()) {
    const database = testDatabases[(start + at) % testDatabases.length] ?? '';
    try {
      await runOn(url, `CREATE DATABASE ${database}`);
      return database;
    } catch (error) {
      if (!(error instanceof ClickHouseError && error.code === databaseExists)) throw error;
    }
  }
  throw new Error('there is no database left for another test file');
}

const databaseExists = '82';

async function runOn(url: string, query: string, database?: string): Promise<void> {
  const client = createClient(database === undefined ? { url } : { url, database });
  try {
    await client.command({ query });
  } finally {
    await client.close();
  }
}
