import { setTimeout as passed } from 'node:timers/promises';
import { type Bench, takeRounds } from './bench.ts';
import { cpuMs, residentBytes } from './process-usage.ts';
import { batch, sendBatches } from './senders.ts';
import { onStack, type Stack } from './stack.ts';

const rounds = 3;
const backlogEvents = 2_000_000;

export const workerCpu: Bench = {
  name: 'worker.cpu',
  unit: 'µs/event',
  against: 'the CPU of the ClickHouse process for the same events, merges included',
  target: 0.25,
  better: 'lower',
  run: (report) =>
    onStack(async (stack, stored) => {
      const worker = await stack.startWorker();
      const { clickhouse } = stack.pids;
      return takeRounds(rounds, async (round) => {
        const before = {
          stored: await stored.count(),
          worker: cpuMs(worker.pid),
          clickhouse: cpuMs(clickhouse),
        };
        const events = await send(stack, 12_000);
        await stored.reached(before.stored + events);
        const perEvent = (ms: number) => (ms * 1_000) / events;
        const value = perEvent(cpuMs(worker.pid) - before.worker);
        const limit = perEvent(cpuMs(clickhouse) - before.clickhouse);
        report(`round ${round}: worker ${value.toFixed(2)} µs, ClickHouse ${limit.toFixed(2)} µs an event`);
        return { value, limit };
      });
    }),
};

export const workerRss: Bench = {
  name: 'worker.rss',
  unit: 'MB',
  against: 'the same worker idle',
  target: 3,
  better: 'lower',
  run: (report) =>
    onStack((stack, stored) =>
      takeRounds(rounds, async (round) => {
        const before = await stored.count();
        let waiting = 0;
        while (waiting < backlogEvents) waiting += await send(stack, 2_000);
        const limit = await idleMegabytes();
        const worker = await stack.startWorker();
        const drained = stored.reached(before + waiting).then(() => true);
        let value = 0;
        while (!(await Promise.race([drained, passed(50, false)]))) {
          value = Math.max(value, residentBytes(worker.pid) / 1024 ** 2);
        }
        await worker.stop();
        report(
          `round ${round}: ${value.toFixed(0)} MB while ${waiting} events are drained, idle ${limit.toFixed(0)} MB`,
        );
        return { value, limit };
      }),
    ),
};

/** An idle worker on separate stores. */
function idleMegabytes(): Promise<number> {
  return onStack(async (stack) => {
    const worker = await stack.startWorker();
    await passed(3_000);
    return residentBytes(worker.pid) / 1024 ** 2;
  });
}

async function send(stack: Stack, measureMs: number): Promise<number> {
  const { acceptedInAll } = await sendBatches(stack, { measureMs });
  return acceptedInAll * batch;
}
