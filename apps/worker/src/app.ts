import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { createRecordId } from '@tickrate/contract';
import { createLedger, type Ledger } from '@tickrate/pipeline';
import {
  type App,
  addOperatorRoutes,
  type Component,
  createHealth,
  createHttpServer,
  createLogger,
  createMetrics,
  type HttpServer,
  type Metrics,
  sleep,
} from '@tickrate/platform';
import { createPostgres, type Postgres } from '@tickrate/postgres';
import { createWarehouse, type Warehouse } from '@tickrate/warehouse';
import type { WorkerConfig } from './config.ts';
import { createDeliveryPath, type DeliveryPath } from './delivery/delivery-path.ts';
import { createWorkerEvents, type WorkerEvents } from './events.ts';
import { diskReportComponent } from './housekeeping/disk-report.ts';
import { eventStatusComponent } from './housekeeping/event-status-component.ts';
import { removalComponents } from './housekeeping/removal-components.ts';
import { createTypedViews } from './housekeeping/typed-views.ts';
import { createUpkeep } from './housekeeping/upkeep.ts';
import { workerReportComponent } from './housekeeping/worker-report.ts';

export interface WorkerApp extends App {
  readonly server: HttpServer;
}

/** The worker: chunks from the queue, batches into ClickHouse. Connects to nothing until it is started. */
export function createWorker(config: WorkerConfig): WorkerApp {
  const logger = createLogger({ level: config.logLevel, name: 'worker' });
  const metrics = createMetrics({ processMetrics: true });
  const told = createWorkerEvents({ logger, metrics });
  let storedEvents = 0;
  const events: WorkerEvents = {
    ...told,
    batchStored(batch) {
      storedEvents += batch.rows;
      told.batchStored(batch);
    },
  };
  const { postgres, ledger, warehouse } = createStores(config, events);
  const newId = () => createRecordId(Date.now(), randomBytes);
  const path = createDeliveryPath(config, {
    ledger,
    store: warehouse,
    events,
    newId,
    now: () => performance.now(),
    random: Math.random,
  });
  addGauges(metrics, path);
  const health = createHealth({ checks: checksOf(path, ledger) });
  const server = createHttpServer({
    logger,
    metrics,
    host: config.host,
    port: config.port,
    routes: (app) => addOperatorRoutes(app, { health, metrics }),
  });
  const components: Component[] = [
    { name: 'postgres', stop: () => postgres.close() },
    { name: 'warehouse', stop: () => warehouse.close() },
    server,
    upkeepComponent(path, { ledger, events }),
    queueComponent(path, config.stopTimeoutMs),
    viewsComponent({ postgres, warehouse, events, metrics }),
    ...removalComponents(config, { postgres, path, warehouse, events, newId }),
    diskReportComponent({ ledger, warehouse, events }),
    workerReportComponent({
      ledger,
      events,
      now: Date.now,
      name: `${hostname()}:${process.pid}`,
      storedEvents: () => storedEvents,
      memoryBytes: () => process.memoryUsage.rss(),
    }),
    eventStatusComponent(config, { metrics, ledger, warehouse, events }),
  ];
  return { logger, metrics, components, health, server, stopTimeoutMs: config.stopTimeoutMs };
}

interface Stores {
  readonly postgres: Postgres;
  readonly ledger: Ledger;
  readonly warehouse: Warehouse;
}

function createStores(config: WorkerConfig, events: WorkerEvents): Stores {
  const postgres = createPostgres({
    postgresUrl: config.postgresUrl,
    name: 'tickrate-worker',
    maxConnections: 8,
    onFault: (fault) => events.dependencyFault('postgres', fault),
  });
  const ledger = createLedger({ postgres, keyLifetimeMs: config.keyLifetimeMs });
  const warehouse = createWarehouse({
    clickhouseUrl: config.clickhouseUrl,
    database: config.clickhouseDatabase,
    cluster: config.clickhouseCluster,
  });
  return { postgres, ledger, warehouse };
}

/**
 * The batcher must stop waiting for more chunks before BullMQ's workers close, because they wait for jobs that wait for
 * a timer. Unstored chunks go back to the queue while there is time.
 */
function queueComponent({ consumer, batcher, abandon }: DeliveryPath, stopTimeoutMs: number): Component {
  return {
    name: 'queue',
    start: async () => consumer.start(),
    async drain() {
      batcher.drain();
      const giveUp = setTimeout(abandon, stopTimeoutMs * 0.6);
      await consumer.stop(stopTimeoutMs * 0.8);
      clearTimeout(giveUp);
      abandon(); // also what upkeep may be trying
    },
  };
}

function upkeepComponent(
  { consumer, delivery }: DeliveryPath,
  { ledger, events }: { ledger: Ledger; events: WorkerEvents },
): Component {
  const upkeep = createUpkeep({
    ledger,
    sleep,
    levels: () => consumer.levels(),
    findChunks: (ids) => consumer.find(ids),
    replay: (batchId) => delivery.replay(batchId),
    onFault: (fault) => events.dependencyFault('ledger', fault),
  });
  return { name: 'upkeep', start: async () => upkeep.start(), drain: () => upkeep.stop() };
}

function viewsComponent({
  postgres,
  warehouse,
  events,
  metrics,
}: Pick<Stores, 'postgres' | 'warehouse'> & {
  readonly events: WorkerEvents;
  readonly metrics: Metrics;
}): Component {
  const views = createTypedViews({
    postgres,
    warehouse,
    sleep,
    now: Date.now,
    onApplied: events.viewApplied,
    onFault: (fault) => events.dependencyFault('registry', fault),
  });
  metrics.gauge({
    name: 'tickrate_worker_rejected_views',
    help: 'Event types whose view ClickHouse rejects. Every worker exports the same value: aggregate with max()',
    read: views.rejected,
  });
  return { name: 'typed-views', start: async () => views.start(), stop: () => views.stop() };
}

function checksOf({ consumer, intake }: DeliveryPath, ledger: Ledger) {
  return {
    queue: () => (consumer.healthy() ? null : 'the queue does not answer'),
    ledger: async () => {
      await ledger.ping();
      return null;
    },
    clickhouse: () => {
      if (intake.reasons.has('schemaBroken')) {
        return 'the table of events is not as it should be: bring it back, or run `tickrate migrate`';
      }
      return intake.reasons.has('storeAway') ? 'inserts do not succeed' : null;
    },
  };
}

function addGauges(metrics: Metrics, { batcher, intake }: DeliveryPath): void {
  metrics.gauge({
    name: 'tickrate_worker_chunks_in_hand',
    help: 'Chunks that are being batched or stored',
    read: () => batcher.chunks,
  });
  metrics.gauge({
    name: 'tickrate_worker_bytes_in_hand',
    help: 'Compressed bytes of the chunks in hand',
    read: () => batcher.bytes,
  });
  metrics.gauge({
    name: 'tickrate_worker_lane_stopped',
    help: '1 while nothing is stored because the events table has the wrong structure; alert on 1',
    read: () => Number(intake.reasons.has('schemaBroken')),
  });
}
