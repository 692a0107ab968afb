import { randomBytes } from 'node:crypto';
import { createClient } from '@clickhouse/client';
import { afterAll } from 'vitest';
import { askForService } from './service-broker.ts';

export interface FreshClickHouse {
  /** Of the server, shared by all test files of a run. */
  readonly url: string;
  /** The name of an empty database that no other test file uses. */
  readonly database: string;
}

/** An empty database for one test file, dropped after it. Call it at the file's top level. */
export async function freshClickHouse(): Promise<FreshClickHouse> {
  const url = await askForService('clickhouse');
  if (url === null) throw new Error('There is no ClickHouse for tests');
  const database = `test_${randomBytes(6).toString('hex')}`;
  await runOn(url, `CREATE DATABASE ${database}`);
  afterAll(() => runOn(url, `DROP DATABASE IF EXISTS ${database} SYNC`));
  return { url, database };
}

async function runOn(url: string, query: string): Promise<void> {
  const client = createClient({ url });
  try {
    await client.command({ query });
  } finally {
    await client.close();
  }
}
