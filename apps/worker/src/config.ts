import { defineConfig, sharedVariables, tracingVariables } from '@tickrate/platform';

export const workerConfig = defineConfig({
  host: {
    ...sharedVariables.host,
    help: 'Address for health and metrics',
  },
  port: {
    ...sharedVariables.port,
    default: 8083,
    help: 'Port for health and metrics; 0 picks a free one',
  },
  logLevel: sharedVariables.logLevel,
  ...tracingVariables,
  postgresUrl: sharedVariables.postgresUrl,
  clickhouseUrl: sharedVariables.clickhouseUrl,
  clickhouseDatabase: sharedVariables.clickhouseDatabase,
  clickhouseCluster: sharedVariables.clickhouseCluster,
  queueUrl: sharedVariables.queueUrl,
  queueShards: sharedVariables.queueShards,
  queueLimitBytes: {
    ...sharedVariables.queueLimitBytes,
    help: 'Maximum size of the queue, for metrics; must be the same as on the gateways, which enforce it',
  },
  concurrency: {
    name: 'WORKER_CHUNKS',
    type: 'int',
    default: 400,
    min: 1,
    max: 10_000,
    help: 'Chunks of heavy projects processed at a time; in addition, a quarter as many of all others',
  },
  lockMs: {
    name: 'WORKER_LOCK',
    type: 'durationMs',
    default: 20_000,
    min: 1_000,
    help: 'Time after which chunks of a dead worker go to another worker; must be the same on all workers',
  },
  batchRows: {
    name: 'BATCH_ROWS',
    type: 'int',
    default: 50_000,
    min: 1,
    max: 500_000,
    help: 'Rows at which a batch is inserted immediately',
  },
  batchBytes: {
    name: 'BATCH_BYTES',
    type: 'bytes',
    default: 16 * 1024 ** 2,
    min: 1024,
    help: 'Compressed size at which a batch is inserted immediately',
  },
  batchAgeMs: {
    name: 'BATCH_AGE',
    type: 'durationMs',
    default: 700,
    min: 1,
    max: 10_000,
    help: 'Interval between small batches: the maximum time a chunk waits for others to join its batch',
  },
  heldBytes: {
    name: 'HELD_BYTES',
    type: 'bytes',
    default: 96 * 1024 ** 2,
    min: 1024 ** 2,
    help: 'Compressed size of chunks in memory above which the worker fetches no more',
  },
  keyLifetimeMs: sharedVariables.keyLifetimeMs,
  tokenWindowMs: {
    name: 'TOKEN_WINDOW',
    type: 'durationMs',
    default: 5 * 60_000,
    min: 0,
    help: 'How long ClickHouse reliably deduplicates an insert. Before it repeats an older insert, the worker checks whether the rows exist',
  },
  erasureMarginMs: {
    name: 'ERASURE_MARGIN',
    type: 'durationMs',
    default: 90_000,
    min: 0,
    help: 'Events received within this time after an erasure request are erased too; must be longer than any request takes',
  },
  retentionDays: {
    name: 'RETENTION_DAYS',
    type: 'int',
    default: null,
    min: 1,
    max: 36_500,
    help: 'Days after which events are deleted, for projects without a retention policy; empty keeps them forever',
  },
  retentionEveryMs: {
    name: 'RETENTION_INTERVAL',
    type: 'durationMs',
    default: 6 * 60 * 60_000,
    min: 1_000,
    help: 'Interval between searches for expired events',
  },
  stopTimeoutMs: {
    name: 'STOP_TIMEOUT',
    type: 'durationMs',
    default: 25_000,
    min: 1_000,
    help: 'Time to finish work in progress when the process stops',
  },
});

export type WorkerConfig = ReturnType<typeof workerConfig.parse>;

export function readWorkerConfig(): WorkerConfig {
  return workerConfig.parse(process.env);
}
