import { type Bench, type Round, takeRounds } from './bench.ts';
import { manyKeys, manyProjects, manyTypes } from './grown-registry.ts';
import type { LoadSender } from './load-generator.ts';
import { type Cost, createStopwatch } from './process-usage.ts';
import { batch, sendBatches } from './senders.ts';
import { onStack, type RunningApp, type Stack } from './stack.ts';
import type { StoredEvents } from './stored-events.ts';

const rounds = 3;
const smallBacklog = 400_000;
const largeBacklog = 2_000_000;
/** The same number of events in every measurement, so that tables grow and merge alike. */
const smallTimes = largeBacklog / smallBacklog;

// Growth must not raise the cost of an event. 1.2 allows for the noise of a shared machine.
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

/** The worker, ClickHouse and Postgres while they drain a queue, by the number of waiting events. */
export const growthBacklog: Bench = {
  name: 'growth.backlog',
  ...of,
  against: 'five times 400,000 events waiting; the value is 2 million at once',
  run: (report) =>
    onStack(async (stack, stored) => {
      const worker = await stack.startWorker();
      const running = { stack, stored, worker };
      return takeRounds(rounds, async (round) => {
        const limit = await drainCost(running, { backlog: smallBacklog, times: smallTimes });
        const value = await drainCost(running, { backlog: largeBacklog, times: 1 });
        report(
          `round ${round}: ${smallBacklog} waiting ${limit.text}, ${largeBacklog} waiting ${value.text}`,
        );
        return { value: value.sum, limit: limit.sum };
      });
    }),
};

interface Running {
  readonly stack: Stack;
  readonly stored: StoredEvents;
  readonly worker: RunningApp;
}

interface Curve {
  /** In rising order; the last is compared with the first. */
  readonly steps: readonly [number, ...number[]];
  /** Grows the registry to that size and returns the senders. */
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
    return takeRounds(rounds, async (round) => {
      const costs: Cost[] = [];
      for (const step of steps) {
        costs.push(await eventCost({ stack, stored, worker }, senders.get(step) ?? []));
      }
      report(`round ${round}: ${steps.map((step, at) => `${step} ${what} ${costs[at]?.text}`).join(', ')}`);
      return { value: costs.at(-1)?.sum ?? Number.NaN, limit: costs[0]?.sum ?? Number.NaN };
    });
  });
}

/** CPU of all processes of the event path per event, measured after each sender has sent once. */
async function eventCost({ stack, stored, worker }: Running, senders: readonly LoadSender[]): Promise<Cost> {
  for (let heard = 0; heard < senders.length; ) {
    const first = { senders, batch: 1, connections: 64, measureMs: 1_000 };
    heard += (await sendBatches(stack, first)).acceptedInAll;
  }
  const stopwatch = createStopwatch({ ...stack.pids, worker: worker.pid });
  const before = await stored.settled();
  stopwatch.start();
  const { acceptedInAll } = await sendBatches(stack, { senders, measureMs: 6_000 });
  const events = acceptedInAll * batch;
  await stored.reached(before + events);
  await stored.merged();
  stopwatch.stop();
  return stopwatch.costOf(events);
}

/** The worker is frozen while the queue fills, so that its start and the filling do not count. Merges do. */
async function drainCost(
  { stack, stored, worker }: Running,
  { backlog, times }: { readonly backlog: number; readonly times: number },
): Promise<Cost> {
  const { clickhouse, postgres } = stack.pids;
  const stopwatch = createStopwatch({ worker: worker.pid, clickhouse, postgres });
  let events = 0;
  for (let time = 1; time <= times; time++) {
    const before = await stored.settled();
    worker.freeze();
    const waiting = await fillQueue(stack, backlog);
    stopwatch.start();
    worker.resume();
    await stored.reached(before + waiting);
    await stored.merged();
    stopwatch.stop();
    events += waiting;
  }
  return stopwatch.costOf(events);
}

async function fillQueue(stack: Stack, backlog: number): Promise<number> {
  let waiting = 0;
  while (waiting < backlog) {
    const requestsPerSecond = Math.min(backlog - waiting, 150_000) / batch;
    const { acceptedInAll } = await sendBatches(stack, { requestsPerSecond, measureMs: 1_000 });
    waiting += acceptedInAll * batch;
  }
  return waiting;
}
