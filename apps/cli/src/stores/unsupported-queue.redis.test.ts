import { freshPostgres, startRedisServer } from '@tickrate/testkit';
import { afterAll, expect, test } from 'vitest';
import { runCommand } from '../command-harness.ts';

const { url: postgresUrl } = await freshPostgres();
const sentinel = await startRedisServer({ sentinel: true });
const node = await startRedisServer({ settings: { 'cluster-enabled': 'yes' } });
afterAll(() => Promise.all([sentinel.stop(), node.stop()]));

test.each([
  ['a Redis Sentinel', sentinel.url],
  ['a node of a Redis Cluster', node.url],
])('migrate and doctor refuse %s in QUEUE_URL, and say what is supported', async (kind, queueUrl) => {
  const environment = { POSTGRES_URL: postgresUrl, QUEUE_URL: queueUrl };
  const reason = `QUEUE_URL names ${new URL(queueUrl).host}, ${kind}; supported are single Redis`;
  const migrated = await runCommand(['migrate'], environment);
  expect(migrated).toMatchObject({ code: 78, out: '', complaint: expect.stringContaining(reason) });
  const { code, out } = await runCommand(['doctor'], environment);
  expect([code, out]).toEqual([1, expect.stringContaining(reason)]);
  expect(out).not.toContain('Start Redis');
});
