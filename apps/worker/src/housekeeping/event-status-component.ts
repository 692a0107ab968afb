import { createQueueMonitor, type Ledger, readAccounts } from '@tickrate/pipeline';
import type { Component, Metrics } from '@tickrate/platform';
import { sleep } from '@tickrate/platform';
import type { Warehouse } from '@tickrate/warehouse';
import type { WorkerConfig } from '../config.ts';
import type { WorkerEvents } from '../events.ts';
import { createEventStatus } from './event-status.ts';
import { addEventStatusGauges } from './event-status-gauges.ts';

interface Parts {
  readonly metrics: Metrics;
  readonly ledger: Ledger;
  readonly warehouse: Warehouse;
  readonly events: WorkerEvents;
}

/** Exports the state of all events to Prometheus. It has its own connection to the queue, so nothing waits for it. */
export function eventStatusComponent(
  config: WorkerConfig,
  { metrics, ledger, warehouse, events }: Parts,
): Component {
  const monitor = createQueueMonitor({
    queueUrl: config.queueUrl,
    shards: config.queueShards,
    limitBytes: config.queueLimitBytes,
    onFault: (fault) => events.dependencyFault('queue', fault),
  });
  const status = createEventStatus({
    accounts: () => readAccounts({ ledger, pending: () => monitor.pending() }),
    levels: () => monitor.levels(),
    warehouse: () => warehouse.status(),
    sleep,
    onMissing: events.eventsMissing,
    onFault: events.dependencyFault,
  });
  addEventStatusGauges(metrics, { latest: () => status.latest, now: Date.now });
  return {
    name: 'status',
    async start() {
      await monitor.start();
      status.start();
    },
    async stop() {
      await monitor.stop();
      await status.stop();
    },
  };
}
