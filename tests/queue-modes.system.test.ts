import { mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrateLedger, readRedisFacts } from '@tickrate/pipeline';
import { migrateRegistry } from '@tickrate/registry';
import { findFreePort, freshPostgres, startRedisServer } from '@tickrate/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startApp } from './event-path/app-process.ts';

const { url: postgresUrl } = await freshPostgres();
const folder = mkdtempSync(join(tmpdir(), 'tickrate-queue-modes-'));
const single = await startRedisServer();
const sentinel = await startRedisServer({ sentinel: true });
const node = await startRedisServer({ settings: { 'cluster-enabled': 'yes' } });

beforeAll(async () => {
  await migrateRegistry(postgresUrl);
  await migrateLedger(postgresUrl);
});
afterAll(async () => {
  await Promise.all([single, sentinel, node].map((server) => server.stop()));
  rmSync(folder, { recursive: true });
});

const refused = [
  ['a Redis Sentinel', `${sentinel.url}/2`],
  ['a node of a Redis Cluster', `${single.url},${node.url}`],
] as const;

describe.each(['gateway', 'worker', 'console'] as const)('%s', (app) => {
  test.each(refused)('ends with 78 and says so if QUEUE_URL names %s (%s)', async (kind, queueUrl) => {
    const path = join(folder, `${app}-${await findFreePort()}.log`);
    const environment = {
      PORT: '0',
      POSTGRES_URL: postgresUrl,
      QUEUE_URL: queueUrl,
      CLICKHOUSE_URL: 'http://127.0.0.1:9',
      SECRETS_KEY: 'a key of tests that is longer than 32 characters',
    };
    expect(await startApp({ app, environment, logTo: openSync(path, 'w') }).exited).toBe('78');
    const place = new URL(queueUrl.split(',').at(-1) ?? '').host;
    expect(readFileSync(path, 'utf8')).toContain(
      `QUEUE_URL names ${place}, ${kind}; supported are single Redis`,
    );
  });
});

test.each(refused)('doctor learns that QUEUE_URL names %s (%s)', async (kind, queueUrl) => {
  await expect(readRedisFacts(queueUrl, 2_000)).rejects.toThrow(kind);
});
