import type { Fleet } from '@tickrate/pipeline';
import { type Component, sleep } from '@tickrate/platform';
import type { Warehouse } from '@tickrate/warehouse';
import type { WorkerEvents } from '../events.ts';
import { createRepeatedTask } from './repeated-task.ts';

/** Reports the free space of ClickHouse's disks to the gateways, which have no connection to it. */
export function createDiskReport(
  fleet: Pick<Fleet, 'reportDisk'>,
  warehouse: Pick<Warehouse, 'diskLevel'>,
  events: Pick<WorkerEvents, 'dependencyFault'>,
): Component {
  async function run(): Promise<void> {
    const level = await warehouse.diskLevel().catch((fault: unknown) => {
      events.dependencyFault('clickhouse', fault);
      return null;
    });
    if (level === null) return;
    await fleet
      .reportDisk('clickhouse', level)
      .catch((fault: unknown) => events.dependencyFault('ledger', fault));
  }
  return createRepeatedTask('disk-report', { run, sleep, everyMs: 5_000 });
}
