import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as passed } from 'node:timers/promises';
import { createClient } from '@clickhouse/client';
import { startClickHouse } from '@tickrate/embedded';
import { findFreePort, startRedisServer, waitUntil } from '@tickrate/testkit';
import { Redis } from 'ioredis';
import type { Bench } from './bench.ts';
import type { ByHandSettings } from './by-hand-service.ts';
import { crowdedRate, drive, onlookers } from './drive.ts';
import { createOpened, type Opened } from './opened.ts';
import { startSampleProduct } from './paced.ts';
import type { PacedOrder } from './paced-sender.ts';
import { cpuMs, ownCpuMs } from './process-usage.ts';
import { sampleType } from './sample-events.ts';
import { watchStoredEvents } from './stored-events.ts';

const rates = [1, 10, 100, 1_000, 5_000];
const settleMs = 5_000;
const measureMs = 20_000;
const killed = { requestsPerSecond: 500, settleMs: 0, measureMs: 10_000 };
const killAtMs = 5_000;

/** One way to store events, as processes of its own on temporary data. */
interface Contestant {
  readonly url: string;
  readonly apiKey: string;
  /** Milliseconds of CPU that all of its processes have used. */
  cpu(): number;
  stored(): Promise<{ readonly rows: number; readonly distinct: number }>;
  /** Kills the process that stores, and starts it again. */
  killWorker(): Promise<void>;
}

const kinds = ['async', 'jobs', 'gathered'] as const;
/** Above it, only those that gather keep up: the others answer minutes late. */
const mostOfOneByOne = 100;

/** The same events, the same way to send them, through the product and through what a team writes by hand. */
export const byHandBenches: readonly Bench[] = rates.map((requestsPerSecond) => ({
  name: `by-hand.${requestsPerSecond}`,
  needs: 'redis',
  unit: 'cores',
  against: 'the cheapest of three that are written by hand, all processes',
  target: 1,
  better: 'lower',
  async run(report) {
    const value = await coresOf('tickrate', startTickrate, { requestsPerSecond, report });
    const others: number[] = [];
    for (const kind of requestsPerSecond > mostOfOneByOne ? (['gathered'] as const) : kinds) {
      others.push(await coresOf(kind, (opened) => startByHand(kind, opened), { requestsPerSecond, report }));
    }
    return [{ value, limit: Math.min(...others) }];
  },
}));

/** What each keeps and doubles if its worker is killed while events arrive. */
export const byHandKilled: Bench = {
  name: 'by-hand.killed',
  needs: 'redis',
  unit: 'events lost or doubled',
  against: 'one',
  target: 0,
  better: 'lower',
  async run(report) {
    const value = await harmOf('tickrate', startTickrate, report);
    for (const kind of kinds) await harmOf(kind, (opened) => startByHand(kind, opened), report);
    return [{ value, limit: 1 }];
  },
};

interface Load {
  readonly requestsPerSecond: number;
  readonly report: (line: string) => void;
}

async function coresOf(
  name: string,
  start: (opened: Opened) => Promise<Contestant>,
  { requestsPerSecond, report }: Load,
): Promise<number> {
  const opened = createOpened();
  try {
    const contestant = await start(opened);
    const sending = send(contestant, { requestsPerSecond, settleMs, measureMs });
    const looking =
      requestsPerSecond >= crowdedRate
        ? send(contestant, { requestsPerSecond: onlookers.requestsPerSecond, settleMs, measureMs })
        : sending;
    await passed(settleMs);
    const [before, startMs] = [contestant.cpu(), performance.now()];
    await passed(measureMs);
    const elapsedMs = performance.now() - startMs;
    const cores = (contestant.cpu() - before) / elapsedMs;
    const load = await sending;
    const seen = await looking;
    const accepted = load.accepted + (seen === load ? 0 : seen.accepted);
    await waitUntil(async () => (await contestant.stored()).rows >= accepted, {
      timeoutMs: 120_000,
      what: `the events of ${name}`,
    });
    const { rows, distinct } = await contestant.stored();
    report(
      `${name}: ${cores.toFixed(3)} cores, ${Math.round((cores * 1e6 * (settleMs + measureMs)) / 1_000 / Math.max(1, accepted))} µs an event; ` +
        `answers p50 ${seen.p50Ms.toFixed(1)} ms, p99 ${seen.p99Ms.toFixed(1)} ms (to the busy process ${load.p99Ms.toFixed(1)} ms); ${accepted} accepted, ${load.refused} refused, ${load.refusedSettling} in the ${settleMs / 1_000} s before, ${rows - distinct} doubled`,
    );
    return cores;
  } finally {
    await opened.close();
  }
}

async function harmOf(
  name: string,
  start: (opened: Opened) => Promise<Contestant>,
  report: (line: string) => void,
): Promise<number> {
  const opened = createOpened();
  try {
    const contestant = await start(opened);
    const sending = send(contestant, killed);
    await passed(killAtMs);
    await contestant.killWorker();
    const { accepted, refused } = await sending;
    let last = -1;
    // A job of a killed worker is taken again after 30 s.
    await waitUntil(
      async () => {
        const { distinct } = await contestant.stored();
        const isDone = distinct >= accepted && distinct === last;
        last = distinct;
        return isDone;
      },
      { timeoutMs: 90_000, intervalMs: 2_000, what: 'all events' },
    ).catch(() => undefined);
    const { rows, distinct } = await contestant.stored();
    const lost = Math.max(0, accepted - distinct);
    report(
      `${name}: ${accepted} accepted, ${refused} refused, ${lost} lost, ${rows - distinct} doubled, ${Math.max(0, distinct - accepted)} stored of the refused`,
    );
    return lost + rows - distinct;
  } finally {
    await opened.close();
  }
}

function send(
  { url, apiKey }: Contestant,
  load: Pick<PacedOrder, 'requestsPerSecond' | 'settleMs' | 'measureMs'>,
) {
  return drive('paced-sender.ts', { url, apiKey, connections: load.requestsPerSecond, batch: 0, ...load });
}

async function startTickrate(opened: Opened): Promise<Contestant> {
  const product = await startSampleProduct(opened);
  const watched = watchStoredEvents(product.clickhouse);
  opened.add(() => watched.close());
  return {
    url: `${product.events}/insert?eventType=${sampleType.name}`,
    apiKey: product.keys.public,
    cpu: () => [...product.processes().keys()].reduce((sum, pid) => sum + ownCpuMs(pid), 0),
    async stored() {
      const answer = await watched.client.query({
        query: 'SELECT count() AS rows, uniqExact(event_id) AS distinct FROM tickrate.events',
        format: 'JSONEachRow',
      });
      const [counts] = await answer.json<{ rows: string; distinct: string }>();
      return { rows: Number(counts?.rows), distinct: Number(counts?.distinct) };
    },
    // Its supervisor starts it again.
    async killWorker() {
      for (const [pid, name] of product.processes()) if (name === 'worker') process.kill(pid, 'SIGKILL');
    },
  };
}

async function startByHand(kind: ByHandSettings['kind'], opened: Opened): Promise<Contestant> {
  const dataDir = await mkdtemp(join(tmpdir(), 'tickrate-bench-by-hand-'));
  opened.add(() => rm(dataDir, { recursive: true, force: true }));
  const account = { user: 'by_hand', password: 'by_hand', database: 'by_hand' };
  const engine = await startClickHouse({ dataDir, port: 0, ...account });
  opened.add(() => engine.stop());
  const redis = await startRedisServer();
  opened.add(() => redis.stop());
  const clickhouseUrl = `${engine.url}/${account.database}`;
  const clickhouse = createClient({ url: clickhouseUrl });
  opened.add(() => clickhouse.close());
  await clickhouse.command({
    query: 'CREATE TABLE by_hand (id UUID, at DateTime64(3), event JSON) ENGINE = MergeTree ORDER BY at',
  });
  const redisPid = await pidOf(redis.url);
  const settings: ByHandSettings = {
    kind,
    port: await findFreePort(),
    apiKey: 'by-hand',
    clickhouseUrl,
    redisUrl: redis.url,
  };
  const startPart = async (role: string) => {
    const part = fork(join(import.meta.dirname, 'by-hand-service.ts'), [role, JSON.stringify(settings)]);
    opened.add(() => endPart(part));
    await once(part, 'message');
    return part;
  };
  const gateway = await startPart('gateway');
  let storing = kind === 'async' ? gateway : await startPart('worker');
  return {
    url: `http://127.0.0.1:${settings.port}/insert`,
    apiKey: settings.apiKey,
    cpu: () =>
      [...new Set([gateway.pid, storing.pid, engine.pid, redisPid])].reduce<number>(
        (sum, pid) => sum + (pid === undefined ? 0 : cpuMs(pid)),
        0,
      ),
    async stored() {
      const answer = await clickhouse.query({
        query: 'SELECT count() AS rows, uniqExact(id) AS distinct FROM by_hand',
        format: 'JSONEachRow',
      });
      const [counts] = await answer.json<{ rows: string; distinct: string }>();
      return { rows: Number(counts?.rows), distinct: Number(counts?.distinct) };
    },
    async killWorker() {
      await endPart(storing);
      storing = await startPart(kind === 'async' ? 'gateway' : 'worker');
    },
  };
}

async function endPart(part: ChildProcess): Promise<void> {
  if (part.exitCode !== null || part.signalCode !== null) return;
  const ended = once(part, 'exit');
  part.kill('SIGKILL');
  await ended;
}

async function pidOf(redisUrl: string): Promise<number> {
  const redis = new Redis(redisUrl);
  const info = await redis.info('server');
  redis.disconnect();
  return Number(/process_id:(\d+)/.exec(info)?.[1]);
}
