import type { Ledger } from '@tickrate/pipeline';
import { type Component, sleep } from '@tickrate/platform';
import type { Warehouse } from '@tickrate/warehouse';
import type { WorkerEvents } from '../events.ts';

interface Parts {
  readonly ledger: Pick<Ledger, 'reportDisk'>;
  readonly warehouse: Pick<Warehouse, 'diskLevel'>;
  readonly events: Pick<WorkerEvents, 'dependencyFault'>;
}

const everyMs = 5_000;

/** Reports the free space of ClickHouse's disks to the gateways, which have no connection to it. */
export function diskReportComponent({ ledger, warehouse, events }: Parts): Component {
  const stopping = new AbortController();
  let running: Promise<void> = Promise.resolve();

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

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      await report();
      await sleep(everyMs, stopping.signal);
    }
  }

  return {
    name: 'disk-report',
    async start() {
      running = run();
    },
    async drain() {
      stopping.abort();
      await running;
    },
  };
}
