import { createLedger, createProducer, type Ledger, migrateLedger } from '@tickrate/pipeline';
import { createLogger, createMetrics } from '@tickrate/platform';
import { createTcpProxy, freshPostgres, waitUntil } from '@tickrate/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { workerConfig } from '../config.ts';
import { createWorkerEvents } from '../events.ts';
import { MemoryStore } from '../testing/memory-store.ts';
import { sampleChunk, sampleId } from '../testing/sample-rows.ts';
import { newProjectId } from '../testing/worker-bench.ts';
import { createDeliveryPath } from './delivery-path.ts';

const { url: postgresUrl } = await freshPostgres();
const network = await createTcpProxy(postgresUrl);
const ledger = createLedger({ postgresUrl: network.url });
const producer = createProducer({ queueUrl: postgresUrl, shards: 1 });
const store = new MemoryStore();

beforeAll(() => Promise.all([migrateLedger(postgresUrl), producer.start()]));
afterAll(async () => {
  await Promise.all([producer.stop(), ledger.close()]);
  await network.close();
});

function addChunk(event: number): Promise<void> {
  const receivedMs = Date.now();
  const requests = [{ events: [event] }];
  return producer.add(
    sampleChunk({ id: sampleId(receivedMs), projectId: newProjectId(), receivedMs, requests }),
  );
}

/** A path whose ledger and queue lose PostgreSQL at the first seal, and the faults of the ledger that it reports. */
function startPath() {
  const faults: unknown[] = [];
  const write = (line: string) => {
    if (JSON.parse(line).dependency === 'ledger') faults.push(line);
  };
  const logger = createLogger({ level: 'warn', name: 'worker', destination: { write } });
  const refusing: Ledger = {
    ...ledger,
    seal(batchId, chunks) {
      if (faults.length === 0) network.refuse();
      return ledger.seal(batchId, chunks);
    },
  };
  const environment = { POSTGRES_URL: postgresUrl, QUEUE_URL: network.url, CLICKHOUSE_URL: 'http://unused' };
  const path = createDeliveryPath(workerConfig.parse(environment), {
    ledger: refusing,
    store,
    events: createWorkerEvents({ logger, metrics: createMetrics() }),
    newId: () => sampleId(Date.now()),
    now: () => performance.now(),
    // The longest delays that there are.
    random: () => 1,
  });
  path.consumer.start();
  return { path, faults };
}

test('within 3 s after PostgreSQL is back, the worker stores what it held and what came since', async () => {
  const { path, faults } = startPath();
  await addChunk(1);
  // Unbounded delays would be 12.8 s by now.
  await waitUntil(() => faults.length >= 8, { timeoutMs: 20_000, what: 'eight failed attempts' });
  network.open();
  const backMs = performance.now();
  await addChunk(2);
  await waitUntil(() => store.counts.size === 2, { timeoutMs: 20_000, what: 'both events' });
  expect(performance.now() - backMs).toBeLessThan(3_000);
  expect([...store.counts]).toEqual([
    [1, 1],
    [2, 1],
  ]);
  await path.consumer.stop(5_000);
}, 60_000);
