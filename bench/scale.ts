import { availableParallelism } from 'node:os';
import { type Bench, takeRounds } from './bench.ts';
import { type Cost, createStopwatch } from './process-usage.ts';
import { batch, sendBatches } from './senders.ts';
import { onStack, type QueueKind, type RunningApp, type Stack } from './stack.ts';
import type { StoredEvents } from './stored-events.ts';

const rounds = 3;
const connections = 16;
const warmMs = 2_000;
const measureMs = 8_000;

/** In the order of measurement; the last is compared with the first. */
const steps = [
  { gateways: 1, workers: 1 },
  { gateways: 2, workers: 1 },
  { gateways: 2, workers: 2 },
  { gateways: 2, workers: 3 },
] as const;

export const scaleBenches: readonly Bench[] = [scaleOver('postgres'), scaleOver('redis')];

/**
 * The whole event path with more processes. Stored events per second grow only while cores are free, so the CPU per
 * event is compared: work that more processes add to each event is visible on any machine.
 */
function scaleOver(queue: QueueKind): Bench {
  return {
    name: `scale.${queue}`,
    ...(queue === 'redis' && { needs: queue }),
    unit: 'µs/event',
    against: 'one gateway and one worker; the value is with two gateways and three workers',
    target: 1.2,
    better: 'lower',
    run: (report) =>
      onStack(async (stack, stored) => {
        report(`${availableParallelism()} cores, which databases and load generators share`);
        const fleet = createFleet(stack);
        return takeRounds(rounds, async (round) => {
          const costs: number[] = [];
          for (const step of steps) {
            await fleet.resize(step);
            const { perSecond, cost } = await measure({ stack, stored, fleet });
            const name = `${step.gateways} gateway(s), ${step.workers} worker(s)`;
            report(`round ${round}: ${name}: ${Math.round(perSecond)} events/s stored, ${cost.text}`);
            costs.push(cost.sum);
          }
          return { value: costs.at(-1) ?? Number.NaN, limit: costs[0] ?? Number.NaN };
        });
      }, queue),
  };
}

type Step = Readonly<Record<'gateways' | 'workers', number>>;

/** The processes of a step. The first gateway belongs to the stack. */
type Fleet = ReturnType<typeof createFleet>;

function createFleet(stack: Stack) {
  const gateways: Awaited<ReturnType<Stack['startGateway']>>[] = [];
  const workers: RunningApp[] = [];
  return {
    ports: () => [stack.gatewayPort, ...gateways.map(({ port }) => port)],
    pids: () => ({
      ...stack.pids,
      ...(stack.redisPid !== null && { redis: stack.redisPid }),
      ...Object.fromEntries(gateways.map(({ pid }, at) => [`gateway-${at + 2}`, pid])),
      ...Object.fromEntries(workers.map(({ pid }, at) => [`worker-${at + 1}`, pid])),
    }),
    async resize(step: Step): Promise<void> {
      while (gateways.length + 1 > step.gateways) await gateways.pop()?.stop();
      while (workers.length > step.workers) await workers.pop()?.stop();
      while (gateways.length + 1 < step.gateways) gateways.push(await stack.startGateway());
      while (workers.length < step.workers) workers.push(await stack.startWorker());
    },
  };
}

interface Measured {
  readonly stack: Stack;
  readonly stored: StoredEvents;
  readonly fleet: Fleet;
}

async function measure({ stack, stored, fleet }: Measured): Promise<{ perSecond: number; cost: Cost }> {
  await send(stack, fleet, warmMs);
  const sent = await stored.settled();
  await stored.merged();
  // A table that grew would merge larger parts in the later steps.
  if (sent > 0) await stored.client.command({ query: 'TRUNCATE TABLE tickrate.events' });
  const before = await stored.count();
  const stopwatch = createStopwatch(fleet.pids());
  stopwatch.start();
  const started = performance.now();
  const events = await send(stack, fleet, measureMs);
  const perSecond = events / (((await stored.reached(before + events)) - started) / 1_000);
  await stored.merged();
  stopwatch.stop();
  return { perSecond, cost: stopwatch.costOf(events) };
}

/** Sends to all gateways alike, over as many connections in every step. Returns the number of accepted events. */
async function send(stack: Stack, fleet: Fleet, forMs: number): Promise<number> {
  const ports = fleet.ports();
  const reports = await Promise.all(
    ports.map((port) =>
      sendBatches(stack, { port, connections: connections / ports.length, measureMs: forMs }),
    ),
  );
  return reports.reduce((sum, { acceptedInAll }) => sum + acceptedInAll, 0) * batch;
}
