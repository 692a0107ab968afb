import type { Ledger } from '@tickrate/pipeline';
import { type Component, sleep } from '@tickrate/platform';
import type { Warehouse } from '@tickrate/warehouse';
import type { WorkerEvents } from '../events.ts';
import { createRepeatedTask } from './repeated-task.ts';

interface Parts {
  readonly ledger: Pick<Ledger, 'reportDisk'>;
  readonly warehouse: Pick<Warehouse, 'diskLevel'>;
  readonly events: Pick<WorkerEvents, 'dependencyFault'>;
}

const everyMs = 5_000;

/** Reports the free space of ClickHouse's disks to the gateways, which have no connection to it. */
export function diskReportComponent({ ledger, warehouse, events }: Parts): Component {
  async function report(): Promise<void> {
    const level = await warehouse.diskLevel().catch((fault: unknown) => {
      events.dependencyFault('clickhouse', fault);
      return null;
    });
    if (level === null) return;
    await ledger
      .reportDisk('clickhouse', level)
      .catch((fault: unknown) => events.dependencyFault('ledger', fault));
  }

  const task = createRepeatedTask({ run: report, sleep, everyMs });

  return {
    name: 'disk-report',
    start: async () => task.start(),
    drain: () => task.stop(),
  };
}
