import { defineConfig, logLevels } from '@tickrate/platform';

export const workerConfig = defineConfig({
  host: { name: 'HOST', type: 'string', default: '127.0.0.1', help: 'Address for health and metrics' },
  port: {
    name: 'PORT',
    type: 'int',
    default: 8083,
    min: 0,
    max: 65_535,
    help: 'Port for health and metrics; 0 takes a free one',
  },
  logLevel: { name: 'LOG_LEVEL', type: 'enum', values: logLevels, default: 'info', help: 'What is logged' },
  postgresUrl: {
    name: 'POSTGRES_URL',
    type: 'url',
    protocols: ['postgres:', 'postgresql:'],
    help: 'The database of the registry and the delivery ledger',
  },
  clickhouseUrl: {
    name: 'CLICKHOUSE_URL',
    type: 'url',
    protocols: ['http:', 'https:'],
    help: 'ClickHouse over HTTP, with user and password in the URL',
  },
  clickhouseDatabase: {
    name: 'CLICKHOUSE_DATABASE',
    type: 'string',
    default: 'tickrate',
    help: 'The database that holds the events',
  },
  clickhouseCluster: {
    name: 'CLICKHOUSE_CLUSTER',
    type: 'string',
    default: null,
    help: 'The cluster that the tables are on; none for a single server',
  },
  queueUrl: {
    name: 'QUEUE_URL',
    type: 'secret',
    help: 'The queue: one redis:// or postgres:// URL, or several divided by commas',
  },
  queueShards: {
    name: 'QUEUE_SHARDS',
    type: 'int',
    default: 1,
    min: 1,
    max: 64,
    help: 'Queues in each store; the same as the gateways have',
  },
  queueLimitBytes: {
    name: 'QUEUE_LIMIT_BYTES',
    type: 'bytes',
    default: 2 * 1024 ** 3,
    min: 1024 ** 2,
    help: 'What the queue may hold; the same as the gateways have, which keep to it: workers only tell it',
  },
  concurrency: {
    name: 'WORKER_CHUNKS',
    type: 'int',
    default: 400,
    min: 1,
    max: 10_000,
    help: 'Chunks in hand at a time, of projects that send much; a quarter as many of others on top',
  },
  lockMs: {
    name: 'WORKER_LOCK',
    type: 'durationMs',
    default: 20_000,
    min: 1_000,
    help: 'After how long the chunks of a dead worker go to another one; the same on every worker',
  },
  batchRows: {
    name: 'BATCH_ROWS',
    type: 'int',
    default: 50_000,
    min: 1,
    max: 500_000,
    help: 'Rows from which a batch is inserted at once',
  },
  batchBytes: {
    name: 'BATCH_BYTES',
    type: 'bytes',
    default: 16 * 1024 ** 2,
    min: 1024,
    help: 'Compressed bytes from which a batch is inserted at once',
  },
  batchAgeMs: {
    name: 'BATCH_AGE',
    type: 'durationMs',
    default: 250,
    min: 1,
    max: 10_000,
    help: 'The longest that a chunk waits for others',
  },
  heldBytes: {
    name: 'HELD_BYTES',
    type: 'bytes',
    default: 96 * 1024 ** 2,
    min: 1024 ** 2,
    help: 'Compressed bytes in hand from which no more chunks are taken',
  },
  idempotencyMs: {
    name: 'IDEMPOTENCY_LIFETIME',
    type: 'durationMs',
    default: 24 * 60 * 60_000,
    min: 60_000,
    help: 'How long a repeated Idempotency-Key is recognised',
  },
  tokenWindowMs: {
    name: 'TOKEN_WINDOW',
    type: 'durationMs',
    default: 5 * 60_000,
    min: 0,
    help: 'How long ClickHouse certainly remembers an insert; older ones are asked for before they are repeated',
  },
  erasureMarginMs: {
    name: 'ERASURE_MARGIN',
    type: 'durationMs',
    default: 90_000,
    min: 0,
    help: 'How much may be received after an erasure was asked for and is still erased; longer than a request lasts',
  },
  retentionDays: {
    name: 'RETENTION_DAYS',
    type: 'int',
    default: null,
    min: 1,
    max: 36_500,
    help: 'After how many days events are removed whose project says nothing; none keeps them for ever',
  },
  retentionEveryMs: {
    name: 'RETENTION_INTERVAL',
    type: 'durationMs',
    default: 6 * 60 * 60_000,
    min: 1_000,
    help: 'How often it is looked for events that have been kept for long enough',
  },
  stopTimeoutMs: {
    name: 'STOP_TIMEOUT',
    type: 'durationMs',
    default: 25_000,
    min: 1_000,
    help: 'For finishing what is in hand when the process is asked to stop',
  },
});

export type WorkerConfig = ReturnType<typeof workerConfig.parse>;

export function readWorkerConfig(): WorkerConfig {
  return workerConfig.parse(process.env);
}
