import { once } from 'node:events';
import { zstdCompressSync } from 'node:zlib';
import { type Chunk, readAccounts } from '@tickrate/pipeline';
import { createRegistry } from '@tickrate/registry';
import { createTcpProxy, waitUntil } from '@tickrate/testkit';
import { viewName } from '@tickrate/warehouse';
import { afterEach, expect, onTestFinished, test } from 'vitest';
import { sampleChunk, sampleId } from './testing/sample-rows.ts';
import {
  newProjectId,
  type RunningWorker,
  spawnWorker,
  startWorker,
  type WorkerEnvironment,
} from './testing/worker-bench.ts';
import { startWorkerStores } from './testing/worker-stores.ts';

const { environment, postgresUrl, clickhouseUrl, database, warehouse, usage, producer, monitor } =
  await startWorkerStores();
const running = new Set<RunningWorker>();

afterEach(async () => {
  for (const worker of running) await worker.stop();
  running.clear();
});

async function start(
  more: WorkerEnvironment = {},
  settings?: Parameters<typeof startWorker>[1],
): Promise<RunningWorker> {
  const worker = await startWorker({ ...environment, ...more }, settings);
  running.add(worker);
  return worker;
}

async function stop(worker: RunningWorker): Promise<void> {
  running.delete(worker);
  await worker.stop();
}

let lastEvent = 0;
function chunkOf(projectId: string, count: number, key?: string): Chunk {
  const events = Array.from({ length: count }, (_, index) => lastEvent + index + 1);
  lastEvent += count;
  const receivedMs = Date.now();
  return sampleChunk({
    id: sampleId(receivedMs),
    projectId,
    receivedMs,
    requests: [key === undefined ? { events } : { events, key }],
  });
}

/** Events of a project in ClickHouse: how many rows, and how many different ones. */
async function stored(projectId: string): Promise<{ rows: number; events: number }> {
  const [row] = await warehouse.query<{ n: string; events: string }>(
    `SELECT count() AS n, uniqExact(data.n) AS events FROM ${database}.events WHERE project = {project:String}`,
    { parameters: { project: projectId } },
  );
  return { rows: Number(row?.n), events: Number(row?.events) };
}

async function untilStored(projectId: string, rows: number, timeoutMs = 10_000): Promise<void> {
  const what = `${rows} stored rows`;
  await waitUntil(async () => (await stored(projectId)).rows >= rows, { timeoutMs, what });
}

async function accountOf(projectId: string) {
  return (await readAccounts({ usage, pending: () => monitor.pending() })).get(projectId);
}

test('the events of the queue are stored, and the sums add up', async () => {
  const projectId = newProjectId();
  const worker = await start();
  const chunks = [chunkOf(projectId, 30, 'a'), chunkOf(projectId, 20), chunkOf(projectId, 30, 'a')];
  for (const chunk of chunks) await producer.add(chunk);
  await untilStored(projectId, 50);
  await waitUntil(async () => (await monitor.pending()).chunks === 0, { what: 'the queue to be empty' });

  expect(await stored(projectId)).toEqual({ rows: 50, events: 50 });
  expect(await accountOf(projectId)).toEqual({
    accepted: 80,
    stored: 50,
    pending: 0,
    deduplicated: 30,
    dead: 0,
    missing: 0,
  });
  const ready = await fetch(`${worker.url()}/health/ready`);
  expect(ready.status).toBe(200);
  const metrics = async () => (await fetch(`${worker.url()}/metrics`)).text();
  expect(await metrics()).toMatch(/tickrate_worker_events_total\{end="stored"\} 50/);
  // The bound at which the gateways reject events: the alarm for a full queue is a share of it.
  await waitUntil(async () => (await metrics()).includes(`tickrate_queue_limit_bytes ${2 * 1024 ** 3}\n`));
});

test('a worker without events is not ready while ClickHouse is away', async () => {
  const network = await createTcpProxy(clickhouseUrl);
  const worker = await start({ CLICKHOUSE_URL: network.url });
  const answersWith = (status: number) =>
    waitUntil(async () => (await fetch(`${worker.url()}/health/ready`)).status === status, {
      timeoutMs: 15_000,
      what: `${status}`,
    });
  await answersWith(200);
  network.refuse();
  network.cut();
  await answersWith(503);
  network.open();
  await answersWith(200);
  await stop(worker);
  await network.close();
});

for (const fault of ['refuse', 'freeze'] as const) {
  test(`nothing is lost or stored twice while ClickHouse is away (${fault}), and the worker reports it`, async () => {
    const projectId = newProjectId();
    const network = await createTcpProxy(clickhouseUrl);
    const worker = await start({ CLICKHOUSE_URL: network.url });
    await producer.add(chunkOf(projectId, 10));
    await untilStored(projectId, 10);
    network[fault]();
    for (let n = 0; n < 20; n += 1) await producer.add(chunkOf(projectId, 10));
    if (fault === 'refuse') {
      await waitUntil(async () => (await fetch(`${worker.url()}/health/ready`)).status === 503, {
        what: 'the worker to be not ready',
      });
    }
    expect((await accountOf(projectId))?.missing).toBe(0);
    network.cut();
    network.open();
    await untilStored(projectId, 210, 15_000);
    await waitUntil(async () => (await accountOf(projectId))?.stored === 210, { what: 'the sums' });
    expect(await stored(projectId)).toEqual({ rows: 210, events: 210 });
    await stop(worker);
    await network.close();
  });
}

test('a row that ClickHouse refuses becomes a dead letter, and the rows beside it are stored', async () => {
  const projectId = newProjectId();
  await start();
  const good = chunkOf(projectId, 10);
  const bad = { ...chunkOf(projectId, 7), frame: zstdCompressSync(Buffer.alloc(2_000, 0xff)) };
  await Promise.all([producer.add(good), producer.add(bad), producer.add(chunkOf(projectId, 5))]);
  await waitUntil(async () => (await accountOf(projectId))?.dead === 7, { what: 'the dead letter' });
  await waitUntil(async () => (await accountOf(projectId))?.stored === 15, { what: 'the others' });
  expect(await stored(projectId)).toEqual({ rows: 15, events: 15 });
});

test('a worker that is stopped finishes its chunks, and the next one continues', async () => {
  const projectId = newProjectId();
  // Nobody waits for the end of this batch: the stop begins it.
  const first = await start({ WORKER_CHUNKS: '20' }, { batchAgeMs: 600_000 });
  const adding = Array.from({ length: 60 }, () => producer.add(chunkOf(projectId, 10)));
  await Promise.all(adding);
  await stop(first);
  const account = await accountOf(projectId);
  expect((account?.stored ?? 0) + (account?.pending ?? 0)).toBe(600);
  await start();
  await waitUntil(async () => (await accountOf(projectId))?.stored === 600, {
    timeoutMs: 15_000,
    what: 'the rest',
  });
  expect(await stored(projectId)).toEqual({ rows: 600, events: 600 });
});

test('the typed view of an event type exists soon after its declaration', async () => {
  const registry = createRegistry({ postgresUrl, now: Date.now });
  const { id: projectId } = await registry.createProject({ name: 'Game' });
  await start();
  const declaration = { type: 'object', properties: { n: { type: 'integer' } } };
  await registry.declareEventType({ projectId, name: 'sample', declaration });
  await registry.close();
  await producer.add({ ...chunkOf(projectId, 3) });
  await untilStored(projectId, 3);
  const numbers = () =>
    warehouse.query<{ n: string }>(`SELECT n FROM ${viewName(projectId, 'sample')}`).catch(() => []);
  await waitUntil(async () => (await numbers()).length === 3, { timeoutMs: 10_000, what: 'the view' });
  await warehouse.query('SELECT 1');
});

test('the metrics count the event types whose view ClickHouse rejects', async () => {
  const registry = createRegistry({ postgresUrl, now: Date.now });
  const { id: projectId } = await registry.createProject({ name: 'Game' });
  // A database of this engine permits no view.
  const [databaseName] = viewName(projectId, 'sample').split('.');
  await warehouse.query(`CREATE DATABASE ${databaseName} ENGINE = Dictionary`);
  const worker = await start();
  const gauge = async () => {
    const metrics = await (await fetch(`${worker.url()}/metrics`)).text();
    return /^tickrate_worker_rejected_views (\d+)$/m.exec(metrics)?.[1];
  };
  expect(await gauge()).toBe('0');
  await registry.declareEventType({ projectId, name: 'sample', declaration: { type: 'object' } });
  await waitUntil(async () => (await gauge()) === '1', { timeoutMs: 10_000, what: 'the rejected view' });
  await warehouse.query(`DROP DATABASE ${databaseName}`);
  await registry.close();
});

test('workers that are killed at random lose nothing and store nothing twice', async () => {
  const projectId = newProjectId();
  const total = 120;
  const adding = (async () => {
    for (let n = 0; n < total; n += 1) await producer.add(chunkOf(projectId, 50));
  })();
  for (let round = 0; round < 4; round += 1) {
    const child = spawnWorker({
      ...environment,
      BATCH_ROWS: '500',
      WORKER_CHUNKS: '20',
      WORKER_LOCK: '2s',
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    const before = (await stored(projectId)).rows;
    await waitUntil(
      async () => (await stored(projectId)).rows > before || (await monitor.pending()).chunks === 0,
      {
        timeoutMs: 60_000,
        what: 'the worker to get somewhere',
      },
    );
    child.kill('SIGKILL');
    await once(child, 'exit');
    if (round === 0) await adding;
  }
  await start({ WORKER_LOCK: '2s' });
  await waitUntil(async () => (await accountOf(projectId))?.stored === total * 50, {
    timeoutMs: 60_000,
    what: 'all',
  });
  // Jobs of the killed workers are completed when their locks expire.
  const isEmpty = async () => (await monitor.pending()).chunks === 0;
  await waitUntil(isEmpty, { timeoutMs: 20_000, what: 'the queue to be empty' });
  expect(await stored(projectId)).toEqual({ rows: total * 50, events: total * 50 });
}, 120_000);
