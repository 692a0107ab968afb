import { once } from 'node:events';
import { createProducer, createUsage, migrateLedger } from '@tickrate/pipeline';
import { migrateRegistry } from '@tickrate/registry';
import { freshClickHouse, freshPostgres, startRedisServer, waitUntil } from '@tickrate/testkit';
import { createWarehouse } from '@tickrate/warehouse';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { sampleChunk, sampleId } from './testing/sample-rows.ts';
import { environmentOf, newProjectId, spawnWorker, startWorker } from './testing/worker-bench.ts';

const { url: postgresUrl } = await freshPostgres();
const { url: clickhouseUrl, database } = await freshClickHouse();
const redis = await startRedisServer({ settings: { appendfsync: 'always' } });
const environment = {
  ...environmentOf({ postgresUrl, queueUrl: redis.url, clickhouseUrl, database }),
  QUEUE_SHARDS: '3',
  WORKER_LOCK: '2s',
  WORKER_CHUNKS: '30',
};
const warehouse = createWarehouse({ clickhouseUrl, database });
const usage = createUsage({ postgresUrl });
const producer = createProducer({ queueUrl: redis.url, shards: 3 });

beforeAll(async () => {
  await Promise.all([migrateLedger(postgresUrl), migrateRegistry(postgresUrl), warehouse.migrate()]);
  await producer.start();
});
afterAll(async () => {
  await Promise.all([producer.stop(), usage.close(), warehouse.close()]);
  await redis.stop();
});

test('over a sharded Redis, a killed Redis and killed workers lose nothing and store nothing twice', async () => {
  const projectId = newProjectId();
  const storedRows = async () => (await usage.totals()).get(projectId)?.stored ?? 0;
  await addChunks(projectId, 0);
  const child = spawnWorker({ ...environment, BATCH_ROWS: '300' });
  onTestFinished(() => void child.kill('SIGKILL'));
  await waitUntil(async () => (await storedRows()) > 0, { timeoutMs: 15_000, what: 'the first rows' });
  child.kill('SIGKILL');
  await once(child, 'exit');
  await redis.kill();
  await redis.restart();
  await waitUntil(() => producer.accepting(), { timeoutMs: 10_000, what: 'the producer to accept again' });
  await addChunks(projectId, 60);

  const worker = await startWorker(environment);
  await waitUntil(async () => (await storedRows()) === 6_000, { timeoutMs: 30_000, what: 'all rows' });
  await worker.stop();
  const [row] = await warehouse.query<{ n: string; events: string }>(
    `SELECT count() AS n, uniqExact(data.n) AS events FROM ${database}.events WHERE project = {project:String}`,
    { parameters: { project: projectId } },
  );
  expect(row).toEqual({ n: '6000', events: '6000' });
}, 90_000);

async function addChunks(projectId: string, first: number): Promise<void> {
  for (let n = first; n < first + 60; n += 1) {
    const events = Array.from({ length: 50 }, (_, index) => n * 50 + index);
    const receivedMs = Date.now();
    const chunk = sampleChunk({ id: sampleId(receivedMs), projectId, receivedMs, requests: [{ events }] });
    await producer.add(chunk);
  }
}
