import type { Fleet } from '@tickrate/pipeline';
import { createRepeatedTask, settleWithin, sleep } from '@tickrate/platform';
import type { Warehouse } from '@tickrate/warehouse';
import type { WorkerEvents } from '../events.ts';

const everyMs = 5_000;
const idleReportEvery = 3;
const diskMs = 2_000;

/**
 * Looks at ClickHouse every five seconds, and reports this worker to the page *Pipeline* and the free space to the
 * gateways: each time, or, while nothing is stored, every third time. A worker that stops is forgotten at once.
 */
export function createWorkerReport(options: {
  readonly fleet: Pick<Fleet, 'reportWorker' | 'forgetWorker'>;
  readonly warehouse: Pick<Warehouse, 'diskLevel'>;
  readonly events: Pick<WorkerEvents, 'dependencyFault'>;
  readonly name: string;
  /** Stored since the process started. */
  readonly storedEvents: () => number;
  readonly memoryBytes: () => number;
  readonly now: () => number;
}) {
  const { fleet, warehouse, events, name, storedEvents, memoryBytes, now } = options;
  const startedMs = now();
  let before = { atMs: startedMs, stored: 0 };
  let isWarehouseAway = false;
  let looks = 0;
  const onFault = (fault: unknown) => events.dependencyFault('ledger', fault);

  async function report(): Promise<void> {
    const late = () => new Error('ClickHouse does not answer');
    const disk = await settleWithin(diskMs, warehouse.diskLevel(), late).catch((fault: unknown) => {
      events.dependencyFault('clickhouse', fault);
      return null;
    });
    isWarehouseAway = disk === null;
    if (looks++ % idleReportEvery > 0 && storedEvents() === before.stored) return;
    const at = { atMs: now(), stored: storedEvents() };
    const eventsPerSecond = ((at.stored - before.stored) * 1_000) / Math.max(1, at.atMs - before.atMs);
    before = at;
    const report = {
      name,
      startedMs,
      eventsPerSecond: Math.max(0, eventsPerSecond),
      memoryBytes: memoryBytes(),
    };
    await fleet.reportWorker(report, disk).catch(onFault);
  }

  const task = createRepeatedTask('worker-report', { run: report, sleep, everyMs });

  return {
    ...task,
    /** Whether ClickHouse did not answer the last time. */
    get isWarehouseAway() {
      return isWarehouseAway;
    },
    async drain() {
      await task.drain();
      await fleet.forgetWorker(name).catch(onFault);
    },
  };
}
