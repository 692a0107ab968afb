import { zstdCompressSync } from 'node:zlib';
import { createProducer } from '@tickrate/pipeline';
import { findFreePort, freshPostgres, hasProgram, startClickHouseServer, waitUntil } from '@tickrate/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AppProcess, startApp, untilReady } from './event-path/app-process.ts';
import { createSendingProject, migrateStores } from './event-path/prepare-stores.ts';
import { mountSmallDisk } from './faults/small-disk.ts';
import { type PrometheusRun, startPrometheus } from './prometheus-run.ts';

const hasPrometheus = hasProgram('prometheus');
const disk = hasPrometheus ? mountSmallDisk('tmpfs', 100) : null;
if (!hasPrometheus)
  process.stderr.write('SKIPPED: alarms in a real Prometheus (no prometheus on the PATH)\n');
else if (disk === null)
  process.stderr.write('SKIPPED: the alarm of a full volume (this process may not mount one)\n');

const { url: postgresUrl } = await freshPostgres();
const clickhouse = hasPrometheus ? await startClickHouseServer() : null;
const ports = { gateway: 0, gatewayMetrics: 0, worker: 0, consoleMetrics: 0 };
const apps = new Map<string, AppProcess>();
let prometheus: PrometheusRun | null = null;

function start(
  app: 'gateway' | 'worker' | 'console',
  port: number,
  more: Readonly<Record<string, string>>,
): void {
  const stores = { POSTGRES_URL: postgresUrl, QUEUE_URL: postgresUrl, CLICKHOUSE_URL: clickhouse?.url ?? '' };
  const environment = {
    ...stores,
    QUEUE_LIMIT_BYTES: '1MiB',
    PORT: String(port),
    LOG_LEVEL: 'fatal',
    ...more,
  };
  // The gateway has no such settings.
  if (app === 'gateway') Reflect.deleteProperty(environment, 'CLICKHOUSE_URL');
  apps.set(app, startApp({ app, environment }));
}

/** Seconds instead of minutes and hours, and a small disk. */
function shorten(rules: string): string {
  return rules
    .replaceAll(/for: \w+/g, 'for: 1s')
    .replaceAll(/\[\d+[mhd]\]/g, '[10s]')
    .replace('2e9', '1e3');
}

beforeAll(async () => {
  if (clickhouse === null) return;
  for (const name of Object.keys(ports) as (keyof typeof ports)[]) ports[name] = await findFreePort();
  await migrateStores({ postgresUrl, clickhouseUrl: clickhouse.url });
  start('gateway', ports.gateway, {
    METRICS_PORT: String(ports.gatewayMetrics),
    ...(disk && { STORE_VOLUMES: disk.path, DISK_RESERVE: '20MiB' }),
  });
  start('worker', ports.worker, {});
  const SECRETS_KEY = 'a key of tests that is longer than 32 characters';
  start('console', await findFreePort(), { METRICS_PORT: String(ports.consoleMetrics), SECRETS_KEY });
  await untilReady(ports.gateway);
  const { gatewayMetrics: gateway, worker, consoleMetrics: console } = ports;
  prometheus = await startPrometheus({ gateway, worker, console }, shorten);
});

afterAll(async () => {
  for (const app of apps.values()) app.signal('SIGKILL');
  await Promise.all([...apps.values()].map(({ exited }) => exited));
  await prometheus?.stop();
  await clickhouse?.stop();
  disk?.remove();
});

async function firing(): Promise<string[]> {
  const found = await prometheus?.get<{ alerts: { state: string; labels: { alertname: string } }[] }>(
    'alerts',
  );
  return found?.alerts.flatMap(({ state, labels }) => (state === 'firing' ? labels.alertname : [])) ?? [];
}

async function fires(...alarms: readonly string[]): Promise<void> {
  const all = async () => new Set(await firing()).isSupersetOf(new Set(alarms));
  await waitUntil(all, { timeoutMs: 40_000, what: `${alarms.join(' and ')} to fire` });
}

async function recover(...alarms: readonly string[]): Promise<void> {
  const none = async () => new Set(await firing()).isDisjointFrom(new Set(alarms));
  await waitUntil(none, { timeoutMs: 60_000, what: `${alarms.join(' and ')} to recover` });
}

const ours = [
  'NoWorkerReports',
  'TheQueueCannotBeRead',
  'TheQueueFillsUp',
  'ClickHouseDoesNotAnswer',
  'RowsAreRefused',
  'EventsAreMissing',
];
const ofDisk = disk === null ? [] : ['ADiskOfTheStoresIsNearlyFull'];

// Invariant (Delivery): Alarms about the queue and lost events fire also while no worker runs
test.skipIf(!hasPrometheus)(
  'in a real Prometheus, five faults make their alarms fire, and what ends them makes them recover',
  async () => {
    await recover(...ours, ...ofDisk);
    const { projectId, apiKey } = await createSendingProject(postgresUrl, {
      name: 'sample',
      declaration: { type: 'object', properties: { text: { type: 'string' } } },
    });

    // All workers are killed, the queue fills up, and then a volume.
    apps.get('worker')?.signal('SIGKILL');
    await apps.get('worker')?.exited;
    await sendUntilRefused(apiKey);
    disk?.fill();
    await fires('NoWorkerReports', 'TheQueueFillsUp', ...ofDisk);
    disk?.release();
    start('worker', ports.worker, {});
    await recover('NoWorkerReports', 'TheQueueFillsUp', ...ofDisk);

    await clickhouse?.kill();
    await fires('ClickHouseDoesNotAnswer');
    await clickhouse?.restart();
    await recover('ClickHouseDoesNotAnswer');

    await addUnreadableChunk(projectId);
    await fires('RowsAreRefused');
    await recover(...ours, ...ofDisk);
  },
  300_000,
);

async function sendUntilRefused(apiKey: string): Promise<void> {
  const random = () => Buffer.from(crypto.getRandomValues(new Uint8Array(300))).toString('base64');
  await waitUntil(
    async () => {
      const answer = await fetch(`http://127.0.0.1:${ports.gateway}/v1/event/batchInsert?eventType=sample`, {
        method: 'POST',
        headers: { 'X-API-Key': apiKey, 'Content-Type': 'application/json', Connection: 'close' },
        body: JSON.stringify(Array.from({ length: 100 }, () => ({ text: random() }))),
      });
      expect([200, 503]).toContain(answer.status);
      await answer.text();
      return answer.status === 503;
    },
    { timeoutMs: 30_000, intervalMs: 1, what: 'a full queue' },
  );
}

/** ClickHouse refuses its rows. */
async function addUnreadableChunk(projectId: string): Promise<void> {
  const producer = createProducer({ queueUrl: postgresUrl, shards: 1 });
  await producer.start();
  await producer.add({
    id: crypto.randomUUID().replace(/^(.{14})4/, '$17'),
    projectId,
    count: 7,
    idempotency: [],
    frame: zstdCompressSync(Buffer.alloc(2_000, 0xff)),
    producer: 'tests',
    position: { start: 0, settled: 0, voids: [] },
  });
  await producer.stop();
}
