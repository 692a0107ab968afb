import type { Bench, Round } from './bench.ts';
import { drive } from './drive.ts';
import { manyKeys, manyProjects, manyTypes } from './grown-registry.ts';
import type { LoadSender } from './load-generator.ts';
import { cpuMs } from './process-usage.ts';
import { batchSender } from './senders.ts';
import { onStack, type RunningApp, type Stack } from './stack.ts';
import type { StoredEvents } from './stored-events.ts';

const rounds = 3;
const batch = 100;
const load = { host: '127.0.0.1', connections: 16, batch, warmupMs: 0 };
const smallBacklog = 400_000;
const largeBacklog = 2_000_000;

// What grows must not make an event dearer. 1.2 leaves room for what a shared machine adds of its own.
const of = { unit: 'µs/event', target: 1.2, better: 'lower' } as const;

export const growthTypes: Bench = {
  name: 'growth.types',
  ...of,
  against: 'one event type; the value is with 5,000, all of them sent',
  run: (report) => senderCurve(report, { steps: [1, 100, 5_000], grow: manyTypes, what: 'event types' }),
};

export const growthProjects: Bench = {
  name: 'growth.projects',
  ...of,
  against: 'one project; the value is with 1,000, all of them sending',
  run: (report) => senderCurve(report, { steps: [1, 100, 1_000], grow: manyProjects, what: 'projects' }),
};

export const growthKeys: Bench = {
  name: 'growth.keys',
  ...of,
  against: 'one key; the value is with a million, ten thousand of them sending',
  run: (report) => senderCurve(report, { steps: [1, 10_000, 1_000_000], grow: manyKeys, what: 'keys' }),
};

/** The worker, ClickHouse and Postgres while they drain a queue, by what waits in it. */
export const growthBacklog: Bench = {
  name: 'growth.backlog',
  ...of,
  against: 'the same with 400,000 events waiting; the value is with 2 million',
  run: (report) =>
    onStack(async (stack, stored) => {
      const worker = await stack.startWorker();
      const taken: Round[] = [];
      for (let round = 1; round <= rounds; round++) {
        const limit = await drainCost({ stack, stored, worker }, smallBacklog);
        const value = await drainCost({ stack, stored, worker }, largeBacklog);
        report(
          `round ${round}: ${smallBacklog} waiting ${limit.toFixed(2)} µs, ${largeBacklog} waiting ${value.toFixed(2)} µs`,
        );
        taken.push({ value, limit });
      }
      return taken;
    }),
};

interface Running {
  readonly stack: Stack;
  readonly stored: StoredEvents;
  readonly worker: RunningApp;
}

interface Curve {
  /** Rising; the first is what the last is held against. */
  readonly steps: readonly [number, ...number[]];
  /** Brings the registry to that many and returns those that send. */
  readonly grow: (stack: Stack, count: number) => Promise<readonly LoadSender[]>;
  readonly what: string;
}

function senderCurve(report: (line: string) => void, { steps, grow, what }: Curve): Promise<Round[]> {
  return onStack(async (stack, stored) => {
    const worker = await stack.startWorker();
    const senders = new Map<number, readonly LoadSender[]>();
    for (const step of steps) senders.set(step, await grow(stack, step));
    const started = performance.now();
    await stack.restartGateway();
    report(`the gateway starts in ${((performance.now() - started) / 1_000).toFixed(1)} s with all of them`);
    const taken: Round[] = [];
    for (let round = 1; round <= rounds; round++) {
      const costs: number[] = [];
      for (const step of steps) {
        costs.push(await eventCost({ stack, stored, worker }, senders.get(step) ?? []));
      }
      report(
        `round ${round}: ${steps.map((step, at) => `${step} ${what} ${costs[at]?.toFixed(2)} µs`).join(', ')}`,
      );
      taken.push({ value: costs.at(-1) ?? Number.NaN, limit: costs[0] ?? Number.NaN });
    }
    return taken;
  });
}

/** CPU of all processes of the event path for one event, once every sender has been heard. */
async function eventCost(
  { stack, stored, worker }: Running,
  senders: readonly LoadSender[],
): Promise<number> {
  const order = { ...load, port: stack.gatewayPort, senders };
  for (let heard = 0; heard < senders.length; ) {
    heard += (await drive({ ...order, batch: 1, connections: 64, measureMs: 1_000 })).acceptedInAll;
  }
  const used = () =>
    cpuMs(stack.pids.gateway) + cpuMs(stack.pids.postgres) + cpuMs(stack.pids.clickhouse) + cpuMs(worker.pid);
  const before = { stored: await settled(stored), ms: used() };
  const { acceptedInAll } = await drive({ ...order, measureMs: 6_000 });
  const events = acceptedInAll * batch;
  await stored.reached(before.stored + events);
  await stored.merged();
  return ((used() - before.ms) * 1_000) / events;
}

async function settled(stored: StoredEvents): Promise<number> {
  let last = -1;
  for (;;) {
    const count = await stored.count();
    if (count === last) return count;
    last = count;
    await new Promise((resolve) => setTimeout(resolve, 2_000));
  }
}

/** The worker is frozen while the queue fills, so that neither its start nor the filling counts; merges do. */
async function drainCost({ stack, stored, worker }: Running, backlog: number): Promise<number> {
  const before = await settled(stored);
  worker.freeze();
  let waiting = 0;
  while (waiting < backlog) {
    const requestsPerSecond = Math.min(backlog - waiting, 150_000) / batch;
    const order = { ...load, port: stack.gatewayPort, senders: [batchSender(stack)], requestsPerSecond };
    waiting += (await drive({ ...order, measureMs: 1_000 })).acceptedInAll * batch;
  }
  const used = () => cpuMs(worker.pid) + cpuMs(stack.pids.clickhouse) + cpuMs(stack.pids.postgres);
  const ms = used();
  worker.resume();
  await stored.reached(before + waiting);
  await stored.merged();
  return ((used() - ms) * 1_000) / waiting;
}
