import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { createRecordId } from '@tickrate/contract';
import {
  addEventStatusGauges,
  createErasures,
  createEventStatus,
  createFleet,
  createLedger,
  createQuarantine,
  createQueueMonitor,
  createUsage,
  readAccounts,
} from '@tickrate/pipeline';
import {
  type App,
  addOperatorRoutes,
  type Component,
  createHealth,
  createHttpServer,
  createLogger,
  createMetrics,
  createTracing,
  type HttpServer,
  sleep,
} from '@tickrate/platform';
import { createPostgres } from '@tickrate/postgres';
import { createRegistry } from '@tickrate/registry';
import { createWarehouse } from '@tickrate/warehouse';
import type { WorkerConfig } from './config.ts';
import { createDeliveryPath } from './delivery/delivery-path.ts';
import { createEraser } from './erasure/eraser.ts';
import { readPersonalPaths } from './erasure/personal-paths.ts';
import { removeProjectRows } from './erasure/remove-project-rows.ts';
import { createWorkerEvents, type WorkerEvents } from './events.ts';
import { findSettledUntil } from './housekeeping/settled-until.ts';
import { createTypedViews } from './housekeeping/typed-views.ts';
import { createUpkeep } from './housekeeping/upkeep.ts';
import { createWorkerReport } from './housekeeping/worker-report.ts';
import { createRetention } from './retention/retention.ts';

export interface WorkerApp extends App {
  readonly server: HttpServer;
}

/** The worker: chunks from the queue, batches into ClickHouse. Connects to nothing until it is started. */
export function createWorker(config: WorkerConfig): WorkerApp {
  const logger = createLogger({ level: config.logLevel, name: 'worker' });
  const metrics = createMetrics({ processMetrics: true });
  const recorded = createWorkerEvents({ logger, metrics });
  let storedEvents = 0;
  const events: WorkerEvents = {
    ...recorded,
    batchStored(batch) {
      storedEvents += batch.rows;
      recorded.batchStored(batch);
    },
  };
  const newId = () => createRecordId(Date.now(), randomBytes);

  // The stores.
  const postgres = createPostgres({
    postgresUrl: config.postgresUrl,
    name: 'tickrate-worker',
    metrics,
    maxConnections: 8,
    onFault: (fault) => events.dependencyFault('postgres', fault),
  });
  const ledger = createLedger({ postgres, keyLifetimeMs: config.keyLifetimeMs });
  const usage = createUsage({ postgres });
  const fleet = createFleet({ postgres });
  const registry = createRegistry({ postgres, now: Date.now });
  const warehouse = createWarehouse({
    clickhouseUrl: config.clickhouseUrl,
    database: config.clickhouseDatabase,
    cluster: config.clickhouseCluster,
  });

  // From the queue to ClickHouse.
  const { consumer, batcher, delivery, intake, abandon } = createDeliveryPath(config, {
    ledger,
    store: warehouse,
    events,
    newId,
    now: () => performance.now(),
    random: Math.random,
  });
  const upkeep = createUpkeep({
    ledger,
    sleep,
    levels: () => consumer.levels(),
    findChunks: (ids) => consumer.find(ids),
    replay: (batchId) => delivery.replay(batchId),
    onFault: (fault) => events.dependencyFault('ledger', fault),
  });
  const views = createTypedViews({
    postgres,
    warehouse,
    sleep,
    now: Date.now,
    onApplied: events.viewApplied,
    onFault: (fault) => events.dependencyFault('registry', fault),
  });

  // Stored events are removed: those of erased accounts, and those beyond their retention.
  const erasures = createErasures({ postgres, newId });
  const { erasureMarginMs: marginMs } = config;
  const settledUntilMs = () =>
    findSettledUntil({
      levels: () => consumer.levels(),
      oldestUnstoredMs: () => erasures.oldestUnstoredMs(),
      now: Date.now,
      marginMs,
    });
  const eraser = createEraser({
    work: erasures,
    warehouse,
    quarantine: createQuarantine({ postgres }),
    removeProjectRows: (erasure) => removeProjectRows(postgres, erasures, erasure),
    settledUntilMs,
    marginMs,
    sleep,
    personalPaths: (projectId) => readPersonalPaths(registry, projectId),
    onErased: events.erased,
    onFault: (fault) => events.removalFault('erasure', fault),
  });
  const retention = createRetention({
    registry,
    warehouse,
    settledUntilMs,
    sleep,
    now: Date.now,
    defaultDays: config.retentionDays,
    everyMs: config.retentionEveryMs,
    onExpired: events.expired,
    onFault: (fault) => events.removalFault('retention', fault),
  });

  // The state of all events for Prometheus. It has its own connection to the queue, so nothing waits for it.
  const monitor = createQueueMonitor({
    queueUrl: config.queueUrl,
    shards: config.queueShards,
    limitBytes: config.queueLimitBytes,
    onFault: (fault) => events.dependencyFault('queue', fault),
  });
  const status = createEventStatus({
    accounts: () => readAccounts({ usage, pending: () => monitor.pending() }),
    levels: () => monitor.levels(),
    warehouse: () => warehouse.status(),
    sleep,
    now: Date.now,
    onMissing: events.eventsMissing,
    onFault: events.dependencyFault,
  });
  addEventStatusGauges(metrics, () => status.latest);
  const workerReport = createWorkerReport({
    fleet,
    warehouse,
    events,
    now: Date.now,
    name: `${hostname()}:${process.pid}`,
    storedEvents: () => storedEvents,
    memoryBytes: () => process.memoryUsage.rss(),
  });
  metrics.gauge({
    name: 'tickrate_worker_rejected_views',
    help: 'Event types whose view ClickHouse rejects. Every worker exports the same value: aggregate with max()',
    read: views.rejected,
  });
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

  const health = createHealth({
    checks: {
      queue: () => (consumer.healthy() ? null : 'the queue does not answer'),
      ledger: async () => {
        await ledger.ping();
        return null;
      },
      clickhouse() {
        if (intake.reasons.has('schemaBroken')) {
          return 'the table of events is not as it should be: bring it back, or run `tickrate migrate`';
        }
        if (intake.reasons.has('storeAway')) return 'inserts do not succeed';
        return workerReport.isWarehouseAway ? 'it does not answer: see the log, and CLICKHOUSE_URL' : null;
      },
    },
  });
  const server = createHttpServer({
    logger,
    metrics,
    host: config.host,
    port: config.port,
    routes: (app) => addOperatorRoutes(app, { health, metrics }),
  });
  const { stopTimeoutMs } = config;
  // In the order of their start. They drain and stop in reverse order.
  const components: Component[] = [
    createTracing({ ...config, name: 'worker', logger, metrics }),
    { name: 'postgres', stop: () => postgres.close() },
    { name: 'warehouse', stop: () => warehouse.close() },
    server,
    upkeep,
    {
      name: 'queue',
      start: async () => consumer.start(),
      // The batcher must stop waiting for more chunks before BullMQ's workers close, because they wait for jobs that
      // wait for a timer. Unstored chunks go back to the queue while there is time.
      async drain() {
        batcher.drain();
        const giveUp = setTimeout(abandon, stopTimeoutMs * 0.6);
        await consumer.stop(stopTimeoutMs * 0.8);
        clearTimeout(giveUp);
        abandon(); // also what upkeep may be trying
      },
    },
    { name: 'typed-views', start: async () => views.start(), stop: () => views.stop() },
    { name: 'registry', stop: () => registry.close() },
    eraser,
    retention,
    workerReport,
    { name: 'monitor', start: () => monitor.start(), stop: () => monitor.stop() },
    status,
  ];
  return { logger, metrics, components, health, server, stopTimeoutMs };
}
