import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as passed } from 'node:timers/promises';
import { createPostgres } from '@tickrate/postgres';
import { startRedisServer } from '@tickrate/testkit';
import { Redis } from 'ioredis';
import {
  findFreePorts,
  processesOf,
  type StandaloneFacts,
  startStandaloneWith,
} from '../tests/standalone-run.ts';
import type { Bench, Round } from './bench.ts';
import { crowdedRate, drive, onlookers } from './drive.ts';
import { createOpened, type Opened } from './opened.ts';
import type { PacedOrder, PacedReport } from './paced-sender.ts';
import { ownCpuMs } from './process-usage.ts';
import { sampleType } from './sample-events.ts';
import { type StoredEvents, watchStoredEvents } from './stored-events.ts';

/** One rate of a studio's day, and the cores that the whole product may use meanwhile. */
interface Pace {
  readonly name: string;
  readonly requestsPerSecond: number;
  /** One for each player, idle most of the time; or few, as from a proxy. */
  readonly connections: number;
  /** Events in a body; 0 sends a single event as an object. */
  readonly batch: number;
  readonly targetCores: number;
}

type Queue = 'postgres' | 'redis';

const paces: readonly Pace[] = [
  { name: 'idle', requestsPerSecond: 0, connections: 0, batch: 0, targetCores: 0.04 },
  { name: '1', requestsPerSecond: 1, connections: 1, batch: 0, targetCores: 0.05 },
  { name: '10', requestsPerSecond: 10, connections: 10, batch: 0, targetCores: 0.08 },
  { name: '100', requestsPerSecond: 100, connections: 100, batch: 0, targetCores: 0.15 },
  { name: '1000', requestsPerSecond: 1_000, connections: 1_000, batch: 0, targetCores: 0.4 },
  { name: '5000', requestsPerSecond: 5_000, connections: 5_000, batch: 0, targetCores: 1.2 },
  { name: '5000.proxy', requestsPerSecond: 5_000, connections: 64, batch: 0, targetCores: 1.2 },
  { name: 'batches', requestsPerSecond: 100, connections: 100, batch: 10, targetCores: 0.4 },
];

/** A start costs something for a minute: statements are planned, code is compiled, the first parts are merged. */
const settleMs = 60_000;
const measureMs = 30_000;

/** The cores that all processes of `npm start` use while events arrive one by one, in an open loop. */
export const pacedBenches: readonly Bench[] = (['postgres', 'redis'] as const).flatMap((queue) => [
  ...paces.map((pace) => benchOn(queue, { name: pace.name, measured: [pace], agedMs: 0 })),
  // What was stored must not cost anything later. Its value is the cost when idle again.
  benchOn(queue, { name: 'aged', measured: paces, agedMs: 10 * 60_000 }),
]);

function benchOn(
  queue: Queue,
  { name, measured, agedMs }: { name: string; measured: readonly Pace[]; agedMs: number },
): Bench {
  return {
    name: `paced.${name}${queue === 'redis' ? '.redis' : ''}`,
    ...(queue === 'redis' && { needs: 'redis' }),
    unit: 'cores',
    against: 'the target',
    target: 1,
    better: 'lower',
    async run(report) {
      const opened = createOpened();
      try {
        const product = await startSampleProduct(opened, queue);
        const stored = watchStoredEvents(product.clickhouse);
        opened.add(() => stored.close());
        const load = { requestsPerSecond: 1_000, connections: 1_000, batch: 0 };
        if (agedMs > 0) await send(product, load, { settleMs: 0, measureMs: agedMs });
        const rounds: Round[] = [];
        for (const pace of measured) {
          if (agedMs > 0) report(`${pace.name}:`);
          rounds.push({ value: await measure(product, pace, { stored, report }), limit: pace.targetCores });
        }
        return rounds.slice(0, 1);
      } finally {
        await opened.close();
      }
    },
  };
}

interface Product extends StandaloneFacts {
  /** Where events of the type are sent to: `insert` and `batchInsert` end it. */
  readonly events: string;
  /** If the queue is there. */
  readonly redisUrl: string | null;
  /** Its processes and the queue's, by their ids. */
  processes(): ReadonlyMap<number, string>;
}

/** `npm start` on a folder of its own, without rates, with the declared type of the benches. */
export async function startSampleProduct(opened: Opened, queue: Queue = 'postgres'): Promise<Product> {
  const redis = queue === 'redis' ? await startRedisServer({ settings: { appendfsync: 'always' } }) : null;
  if (redis !== null) opened.add(() => redis.stop());
  const folder = await mkdtemp(join(tmpdir(), 'tickrate-bench-paced-'));
  opened.add(() => rm(folder, { recursive: true, force: true }));
  const environment = {
    ...(redis !== null && { QUEUE_URL: redis.url }),
    RATE_PER_ADDRESS: '0',
    RATE_PER_KEY: '0',
    RATE_PER_PROJECT: '0',
    CONNECTIONS_PER_ADDRESS: '0',
  };
  const run = startStandaloneWith(environment, folder, '--port', String(await findFreePorts()));
  opened.add(async () => {
    const ended = once(run.process, 'close');
    run.process.kill('SIGINT');
    await ended;
  });
  await run.ready();
  const facts = run.file();
  await declareSampleType(facts);
  return {
    ...facts,
    events: `${facts.gateway}/v1/event`,
    redisUrl: redis?.url ?? null,
    processes() {
      const processes = new Map(
        processesOf(folder).map(({ pid, commandLine }) => [pid, nameOf(commandLine)]),
      );
      return redis === null ? processes : processes.set(redis.pid(), 'redis');
    },
  };
}

interface Tools {
  readonly stored: StoredEvents;
  readonly report: (line: string) => void;
}

async function measure(product: Product, pace: Pace, { stored, report }: Tools): Promise<number> {
  const times = { settleMs, measureMs };
  const sending = pace.requestsPerSecond > 0 ? send(product, pace, times) : null;
  const looking =
    pace.requestsPerSecond >= crowdedRate ? send(product, { ...pace, ...onlookers }, times) : null;
  await passed(settleMs);
  const before = await countersOf(product, stored);
  const startMs = performance.now();
  await passed(measureMs);
  const seconds = (performance.now() - startMs) / 1_000;
  const after = await countersOf(product, stored);
  const sent = await sending;
  const cores = new Map<string, number>();
  for (const [name, ms] of after.cpu) cores.set(name, (ms - (before.cpu.get(name) ?? 0)) / 1_000 / seconds);
  const total = [...cores.values()].reduce((sum, each) => sum + each, 0);
  report(
    `${total.toFixed(3)} cores: ${[...cores].map(([name, each]) => `${name} ${each.toFixed(3)}`).join(', ')}`,
  );
  const events = after.stored - before.stored;
  const per = (count: number) => (events === 0 ? '' : ` (${(count / events).toFixed(2)} an event)`);
  const transactions = after.transactions - before.transactions;
  const commands = after.commands - before.commands;
  const inserts = after.inserts - before.inserts;
  const merged = after.merged - before.merged;
  report(
    `per second: ${(events / seconds).toFixed(1)} events stored, ${(inserts / seconds).toFixed(1)} inserts, ` +
      `${(transactions / seconds).toFixed(1)} transactions${per(transactions)}, ` +
      (product.redisUrl === null
        ? ''
        : `${(commands / seconds).toFixed(1)} commands of Redis${per(commands)}, `) +
      `${((after.rowsRead - before.rowsRead) / seconds).toFixed(0)} rows read; ` +
      `each row was merged ${(merged / Math.max(1, events)).toFixed(1)} times; ${((total * 1e6 * seconds) / Math.max(1, events)).toFixed(0)} µs an event`,
  );
  const megabytes = (bytes: number) => `${Math.round(bytes / 1024 ** 2)} MB`;
  const allBytes = [...after.memory.values()].reduce((sum, each) => sum + each, 0);
  report(
    `${megabytes(allBytes)}: ${[...after.memory].map(([name, bytes]) => `${name} ${megabytes(bytes)}`).join(', ')}`,
  );
  if (sent !== null) {
    const refusals =
      sent.lastRefusedMs === 0
        ? ''
        : ` ${JSON.stringify(sent.refusals)}, the last after ${(sent.lastRefusedMs / 1_000).toFixed(1)} s`;
    report(
      `answers: p50 ${sent.p50Ms.toFixed(1)} ms, p99 ${sent.p99Ms.toFixed(1)} ms; ${sent.accepted} of ${sent.sent} accepted, ` +
        `${sent.refused} refused, ${sent.refusedSettling} in the minute before${refusals}; ` +
        `${(100 * (await shareStoredInTime(product))).toFixed(1)} % stored within 1.5 s`,
    );
    const seen = await looking;
    if (seen !== null) {
      report(
        `answers to ${onlookers.connections} onlookers: p50 ${seen.p50Ms.toFixed(1)} ms, p99 ${seen.p99Ms.toFixed(1)} ms; ${seen.refused} refused`,
      );
    }
  }
  return total;
}

function send(
  product: Product,
  pace: Pick<Pace, 'requestsPerSecond' | 'connections' | 'batch'>,
  times: Pick<PacedOrder, 'settleMs' | 'measureMs'>,
): Promise<PacedReport> {
  const call = pace.batch === 0 ? 'insert' : 'batchInsert';
  return drive('paced-sender.ts', {
    url: `${product.events}/${call}?eventType=${sampleType.name}`,
    apiKey: product.keys.public,
    connections: pace.connections,
    requestsPerSecond: pace.requestsPerSecond,
    batch: pace.batch,
    ...times,
  });
}

async function declareSampleType(product: StandaloneFacts): Promise<void> {
  const answer = await fetch(`${product.console}/v1/event-types/${sampleType.name}/versions`, {
    method: 'POST',
    headers: { 'X-API-Key': product.keys.administrative, 'Content-Type': 'application/json' },
    body: JSON.stringify({ declaration: sampleType.declaration }),
  });
  if (answer.status !== 200) throw new Error(`the type was not declared: ${await answer.text()}`);
}

interface Counters {
  /** Milliseconds of CPU by process. */
  readonly cpu: ReadonlyMap<string, number>;
  readonly memory: ReadonlyMap<string, number>;
  readonly transactions: number;
  readonly rowsRead: number;
  /** Of Redis, scripts' own included. */
  readonly commands: number;
  readonly stored: number;
  readonly inserts: number;
  readonly merged: number;
}

async function countersOf(product: Product, stored: StoredEvents): Promise<Counters> {
  const postgres = createPostgres({
    postgresUrl: product.postgres,
    maxConnections: 1,
    onFault: () => undefined,
  });
  const [row] = await postgres.query<{ transactions: string; read: string }>(
    `SELECT xact_commit + xact_rollback AS transactions, tup_returned AS read
       FROM pg_stat_database WHERE datname = current_database()`,
  );
  await postgres.close();
  const answer = await stored.client.query({
    query: `SELECT sumIf(value, event = 'InsertQuery') AS inserts, sumIf(value, event = 'MergedRows') AS merged
      FROM system.events`,
    format: 'JSONEachRow',
  });
  const [events] = await answer.json<{ inserts: string; merged: string }>();
  const cpu = new Map<string, number>();
  const memory = new Map<string, number>();
  for (const [pid, name] of product.processes()) {
    cpu.set(name, (cpu.get(name) ?? 0) + ownCpuMs(pid));
    memory.set(name, (memory.get(name) ?? 0) + ownBytes(pid));
  }
  return {
    cpu,
    memory,
    transactions: Number(row?.transactions ?? 0),
    rowsRead: Number(row?.read ?? 0),
    commands: product.redisUrl === null ? 0 : await commandsOf(product.redisUrl),
    stored: await stored.count(),
    inserts: Number(events?.inserts ?? 0),
    merged: Number(events?.merged ?? 0),
  };
}

async function shareStoredInTime(product: Product): Promise<number> {
  const text = await (await fetch(`${product.metrics['worker']}/metrics`)).text();
  const [inTime, all] = ['bucket\\{le="1.5"\\}', 'count'].map((name) =>
    Number(new RegExp(`^tickrate_worker_delivery_seconds_${name} (\\d+)`, 'm').exec(text)?.[1]),
  );
  return Number(inTime) / Number(all);
}

async function commandsOf(redisUrl: string): Promise<number> {
  const redis = new Redis(redisUrl);
  const commands = /^total_commands_processed:(\d+)/m.exec(await redis.info('stats'))?.[1];
  await redis.quit();
  return Number(commands);
}

function nameOf(commandLine: string): string {
  const app = /apps\/(\w+)\/src\/main\.ts/.exec(commandLine)?.[1];
  if (app !== undefined) return app;
  if (/clickhouse-main/.test(commandLine)) return /queries/.test(commandLine) ? 'queries' : 'clickhouse';
  return 'postgres';
}

/** Each page that several processes share counts once in their sum. 0 of a process that has ended since it was listed. */
function ownBytes(pid: number): number {
  try {
    return (
      Number(/^Pss:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1] ?? 0) * 1024
    );
  } catch {
    return 0;
  }
}
