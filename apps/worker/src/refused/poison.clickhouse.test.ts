import { type Chunk, createQuarantine } from '@tickrate/pipeline';
import { createLogger, createMetrics } from '@tickrate/platform';
import { waitUntil } from '@tickrate/testkit';
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest';
import { workerConfig } from '../config.ts';
import { createDeliveryPath, type DeliveryPath } from '../delivery/delivery-path.ts';
import type { EventStore } from '../delivery/event-store.ts';
import { createWorkerEvents } from '../events.ts';
import { sampleChunk, sampleId } from '../testing/sample-rows.ts';
import { newProjectId, type RunningWorker, startWorker } from '../testing/worker-bench.ts';
import { startWorkerStores } from '../testing/worker-stores.ts';

const {
  postgresUrl,
  database,
  run: define,
  environment,
  warehouse,
  ledger,
  usage,
  producer,
} = await startWorkerStores();
const quarantine = createQuarantine({ postgresUrl });
const paths = new Set<DeliveryPath>();
const workers = new Set<RunningWorker>();
const logged: string[] = [];
const logger = createLogger({ name: 'worker', destination: { write: (line) => logged.push(line) } });
const poison = 9_999_999;

// Before each: a test drops the table.
beforeEach(() =>
  define(
    `ALTER TABLE ${database}.events ADD CONSTRAINT IF NOT EXISTS poison CHECK data.n.:Int64 != ${poison}`,
  ),
);
afterEach(async () => {
  for (const path of paths) {
    path.batcher.drain();
    await path.consumer.stop(5_000);
  }
  for (const worker of workers) await worker.stop();
  paths.clear();
  workers.clear();
});
afterAll(() => quarantine.close());

/** The path of a worker from the queue to the real ClickHouse, with a store that the test can inspect. */
function run(store: EventStore): void {
  let last = Date.now();
  const path = createDeliveryPath(workerConfig.parse({ ...environment, BATCH_AGE: '20ms' }), {
    ledger,
    store,
    events: createWorkerEvents({ logger, metrics: createMetrics() }),
    newId: () => sampleId(++last),
    now: () => performance.now(),
    random: Math.random,
  });
  paths.add(path);
  path.consumer.start();
}

function chunkOf(projectId: string, events: readonly number[]): Chunk {
  const receivedMs = Date.now();
  return sampleChunk({ id: sampleId(receivedMs), projectId, receivedMs, requests: [{ events }] });
}

async function totals(projectId: string) {
  return (await usage.totals()).get(projectId) ?? { stored: 0, dead: 0 };
}

async function rows(projectId: string): Promise<number> {
  const [row] = await warehouse.query<{ n: string }>(
    `SELECT count() AS n FROM ${database}.events WHERE project = {project:String}`,
    { parameters: { project: projectId } },
  );
  return Number(row?.n);
}

// Invariant (Delivery): A poison row affects no other row and delays no other batch; a changed table loses
// nothing
test('a refused row among 50,000 costs no other row, and no other batch waits during the search', async () => {
  const [poisoned, other] = [newProjectId(), newProjectId()];
  const mayGoOn = Promise.withResolvers<void>();
  let parts = 0;
  run({
    countByChunk: (ids) => warehouse.countByChunk(ids),
    async insertRows(insert) {
      if (insert.token.includes('/')) {
        parts += 1;
        await mayGoOn.promise;
      }
      return warehouse.insertRows(insert);
    },
  });
  const events = Array.from({ length: 50_000 }, (_, n) => (n === 31_234 ? poison : n));
  const chunks = Array.from({ length: 50 }, (_, n) =>
    chunkOf(poisoned, events.slice(n * 1_000, (n + 1) * 1_000)),
  );
  await Promise.all(chunks.map((chunk) => producer.add(chunk)));
  await waitUntil(() => parts > 0, { timeoutMs: 15_000, what: 'the search for the culprit' });
  for (const moreThanInFlight of [1, 2, 3, 4]) {
    await producer.add(chunkOf(other, [1, 2, 3]));
    const stored = async () => (await totals(other)).stored === 3 * moreThanInFlight;
    await waitUntil(stored, { what: 'another batch to be stored meanwhile' });
  }
  expect((await totals(poisoned)).dead).toBe(0);
  mayGoOn.resolve();
  const isDone = async () => (await totals(poisoned)).stored === 49_999;
  await waitUntil(isDone, { timeoutMs: 20_000, what: '49,999 rows' });
  expect([await rows(poisoned), (await totals(poisoned)).dead]).toEqual([49_999, 1]);
  expect(logged.find((line) => line.includes('ClickHouse refused a row'))).toContain('"errorCode":"469"');
  const [letter] = await Array.fromAsync(quarantine.export(poisoned));
  expect(letter).toMatchObject({
    kind: 'dead',
    type: 'sample',
    rows: 1,
    events: [{ text: `{"n":${poison}}` }],
  });
}, 40_000);

test('45 refused rows among 450 of one project cost no other row', async () => {
  const poisoned = newProjectId();
  let refusals = 0;
  run({
    countByChunk: (ids) => warehouse.countByChunk(ids),
    async insertRows(insert) {
      const outcome = await warehouse.insertRows(insert);
      if (outcome.kind === 'data') refusals++;
      return outcome;
    },
  });
  const isPoison = (n: number) => n % 10 === 3;
  const chunks = Array.from({ length: 9 }, (_, of) =>
    chunkOf(
      poisoned,
      Array.from({ length: 50 }, (_, n) => (isPoison(n) ? poison : of * 50 + n)),
    ),
  );
  await Promise.all(chunks.map((chunk) => producer.add(chunk)));
  const isDone = async () => {
    const { stored, dead } = await totals(poisoned);
    return stored + dead === 450;
  };
  await waitUntil(isDone, { timeoutMs: 110_000, what: 'all rows to be stored or dead' });
  expect(await totals(poisoned)).toMatchObject({ stored: 405, dead: 45 });
  expect(await rows(poisoned)).toBe(405);
  // More than after which a project of which nothing is stored is given up.
  expect(refusals).toBeGreaterThan(200);
}, 120_000);

for (const [what, breakIt] of [
  ['a dropped column', (table: string) => `ALTER TABLE ${table} DROP COLUMN sdk_version`],
  ['a table that is gone', (table: string) => `RENAME TABLE ${table} TO ${table}_kept`],
] as const) {
  test(`${what} stops the worker with an alarm; nothing is quarantined, lost or stored twice`, async () => {
    const projectId = newProjectId();
    const worker = await startWorker({ ...environment, LOG_LEVEL: 'silent' });
    workers.add(worker);
    await producer.add(chunkOf(projectId, [1, 2]));
    await waitUntil(async () => (await totals(projectId)).stored === 2, { what: 'the first rows' });
    const table = `${database}.events`;
    await define(breakIt(table));
    for (const n of [3, 4, 5]) await producer.add(chunkOf(projectId, [n]));
    const metrics = async () => (await fetch(`${worker.url()}/metrics`)).text();
    await waitUntil(async () => /tickrate_worker_lane_stopped 1/.test(await metrics()), {
      what: 'the alarm',
    });
    const readiness = () => fetch(`${worker.url()}/health/ready`);
    await waitUntil(async () => (await readiness()).status === 503, { what: 'the worker to be not ready' });
    expect(await (await readiness()).text()).toContain('tickrate migrate');
    expect(await totals(projectId)).toMatchObject({ stored: 2, dead: 0 });

    await define(
      what === 'a dropped column'
        ? `ALTER TABLE ${table} ADD COLUMN sdk_version LowCardinality(String) AFTER sdk_name`
        : `RENAME TABLE ${table}_kept TO ${table}`,
    );
    await waitUntil(async () => (await totals(projectId)).stored === 5, {
      timeoutMs: 15_000,
      what: 'the rest',
    });
    expect(await rows(projectId)).toBe(5);
    await waitUntil(async () => /tickrate_worker_lane_stopped 0/.test(await metrics()), { what: 'the end' });
  }, 30_000);
}

test('a dropped table is created again only by a migration that restores missing tables', async () => {
  const projectId = newProjectId();
  const worker = await startWorker({ ...environment, LOG_LEVEL: 'silent' });
  workers.add(worker);
  await define(`DROP TABLE ${database}.events`);
  await producer.add(chunkOf(projectId, [1, 2, 3]));
  await warehouse.migrate();
  const readiness = () => fetch(`${worker.url()}/health/ready`);
  await waitUntil(async () => (await readiness()).status === 503, { what: 'the worker to be not ready' });
  expect(await totals(projectId)).toMatchObject({ stored: 0, dead: 0 });
  await warehouse.migrate({ restoreMissing: true });
  await waitUntil(async () => (await totals(projectId)).stored === 3, {
    timeoutMs: 15_000,
    what: 'the rows',
  });
  expect(await rows(projectId)).toBe(3);
}, 30_000);
