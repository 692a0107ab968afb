import {
  checkAddressRange,
  checkWebOrigin,
  connectionVariables,
  defineConfig,
  logLevels,
  operatorVariables,
  type Values,
} from '@tickrate/platform';

const declaration = {
  host: { name: 'HOST', type: 'string', default: '127.0.0.1', help: 'Address to listen on' },
  port: {
    name: 'PORT',
    type: 'int',
    default: 8082,
    min: 0,
    max: 65_535,
    help: 'Port to listen on; 0 picks a free one',
  },
  postgresUrl: {
    name: 'POSTGRES_URL',
    type: 'url',
    protocols: ['postgres:', 'postgresql:'],
    help: 'PostgreSQL database of the registry and the delivery ledger',
  },
  queueUrl: {
    name: 'QUEUE_URL',
    type: 'secret',
    help: 'Queue: one redis:// or postgres:// URL, or several separated by commas',
  },
  queueShards: {
    name: 'QUEUE_SHARDS',
    type: 'int',
    default: 1,
    min: 1,
    max: 64,
    help: 'Number of queues per URL in QUEUE_URL; must be the same on all processes',
  },
  queueLimitBytes: {
    name: 'QUEUE_LIMIT_BYTES',
    type: 'bytes',
    default: 2 * 1024 ** 3,
    min: 1024 ** 2,
    help: 'Maximum size of the queue; must be the same as on the gateways',
  },
  secretsKey: {
    name: 'SECRETS_KEY',
    type: 'secret',
    minLength: 32,
    help: 'Encrypts secrets of providers; must be the same on auth. To replace it, set `new,old`',
  },
  clickhouseUrl: {
    name: 'CLICKHOUSE_URL',
    type: 'url',
    protocols: ['http:', 'https:'],
    help: 'ClickHouse over HTTP, with user and password in the URL',
  },
  queryUrl: {
    name: 'CLICKHOUSE_QUERY_URL',
    type: 'url',
    protocols: ['http:', 'https:'],
    default: null,
    help: "A second ClickHouse on the same machine, for customers' queries alone: it reads the first one's files. `npm start` sets it",
  },
  queryBudgetSeconds: {
    name: 'QUERY_BUDGET_SECONDS',
    type: 'int',
    default: 300,
    min: 0,
    help: 'Seconds of queries per ten minutes for the owner of projects, over all of them, in one process; 0 means no limit',
  },
  clickhouseDatabase: {
    name: 'CLICKHOUSE_DATABASE',
    type: 'string',
    default: 'tickrate',
    help: 'ClickHouse database with the events',
  },
  clickhouseCluster: {
    name: 'CLICKHOUSE_CLUSTER',
    type: 'string',
    default: null,
    help: 'ClickHouse cluster of the tables; empty for a single server',
  },
  outbox: {
    name: 'OUTBOX',
    type: 'boolean',
    default: false,
    help: 'Shows unsent mails with their codes while auth has no mail server; for development',
  },
  rateOfAddress: {
    name: 'MANAGEMENT_RATE_PER_ADDRESS',
    type: 'int',
    default: 1_000,
    min: 0,
    help: 'Management calls per second and client address; 0 means no limit',
  },
  rateOfKey: {
    name: 'MANAGEMENT_RATE_PER_KEY',
    type: 'int',
    default: 500,
    min: 0,
    help: 'Management calls per second and key; 0 means no limit',
  },
  browserOrigins: {
    name: 'CONSOLE_ORIGINS',
    type: 'list',
    default: [],
    check: checkWebOrigin,
    help: 'Other web origins whose pages may call the management API, such as http://localhost:5173',
  },
  trustedProxies: {
    name: 'TRUSTED_PROXIES',
    type: 'list',
    default: [],
    check: checkAddressRange,
    help: 'Addresses and CIDR ranges of proxies whose X-Forwarded-For header is trusted',
  },
  ...connectionVariables,
  ...operatorVariables,
  logLevel: {
    name: 'LOG_LEVEL',
    type: 'enum',
    values: logLevels,
    default: 'info',
    help: 'Lowest level that is logged',
  },
} as const;

export const consoleConfig = defineConfig(declaration);

export type ConsoleValues = Values<typeof declaration>;

export function readConsoleValues(): ConsoleValues {
  return consoleConfig.parse(process.env);
}
