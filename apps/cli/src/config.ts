import { defineConfig, type Values } from '@tickrate/platform';

const declaration = {
  url: {
    name: 'TICKRATE_URL',
    type: 'url',
    protocols: ['http:', 'https:'],
    default: null,
    help: 'The management API; the one of the data folder by default',
  },
  gatewayUrl: {
    name: 'TICKRATE_GATEWAY_URL',
    type: 'url',
    protocols: ['http:', 'https:'],
    default: null,
    help: 'The gateway, for `send`',
  },
  authUrl: {
    name: 'TICKRATE_AUTH_URL',
    type: 'url',
    protocols: ['http:', 'https:'],
    default: null,
    help: 'Auth, for `sign-in`',
  },
  key: { name: 'TICKRATE_KEY', type: 'secret', default: null, help: 'The key of every call' },
  password: {
    name: 'TICKRATE_PASSWORD',
    type: 'secret',
    default: null,
    help: 'The password, for `sign-in`, which asks for it otherwise',
  },
  postgresUrl: {
    name: 'POSTGRES_URL',
    type: 'url',
    protocols: ['postgres:', 'postgresql:'],
    default: null,
    help: 'The database, for `migrate`, `first-project` and `doctor`; the one of the data folder by default',
  },
  queueUrl: {
    name: 'QUEUE_URL',
    type: 'secret',
    default: null,
    help: 'The queue, for `migrate` and `doctor`, when it is not in that database',
  },
  queueShards: {
    name: 'QUEUE_SHARDS',
    type: 'int',
    default: 1,
    min: 1,
    max: 64,
    help: 'Queues in each store',
  },
  clickhouseUrl: {
    name: 'CLICKHOUSE_URL',
    type: 'url',
    protocols: ['http:', 'https:'],
    default: null,
    help: 'ClickHouse, for `migrate` and `doctor`',
  },
  clickhouseCluster: {
    name: 'CLICKHOUSE_CLUSTER',
    type: 'string',
    default: null,
    help: 'The cluster that the tables are on; none for a single server',
  },
  smtpUrl: {
    name: 'SMTP_URL',
    type: 'secret',
    default: null,
    help: 'The mail server of auth, for `doctor`',
  },
} as const;

export const cliConfig = defineConfig(declaration);

export type CliValues = Values<typeof declaration>;

export function readCliValues(): CliValues {
  return cliConfig.parse(process.env);
}
