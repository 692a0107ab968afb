import { defineConfig, type Values } from '@tickrate/platform';

const declaration = {
  url: {
    name: 'TICKRATE_URL',
    type: 'url',
    protocols: ['http:', 'https:'],
    default: null,
    help: 'Address of the management API; default from the data folder',
  },
  gatewayUrl: {
    name: 'TICKRATE_GATEWAY_URL',
    type: 'url',
    protocols: ['http:', 'https:'],
    default: null,
    help: 'Address of the gateway, for `send`',
  },
  authUrl: {
    name: 'TICKRATE_AUTH_URL',
    type: 'url',
    protocols: ['http:', 'https:'],
    default: null,
    help: 'Address of auth, for `sign-in`',
  },
  key: { name: 'TICKRATE_KEY', type: 'secret', default: null, help: 'API key for all calls' },
  password: {
    name: 'TICKRATE_PASSWORD',
    type: 'secret',
    default: null,
    help: 'Password for `sign-in`; without it, `sign-in` prompts for one',
  },
  postgresUrl: {
    name: 'POSTGRES_URL',
    type: 'url',
    protocols: ['postgres:', 'postgresql:'],
    default: null,
    help: 'PostgreSQL database, for `migrate`, `first-project` and `doctor`; default from the data folder',
  },
  queueUrl: {
    name: 'QUEUE_URL',
    type: 'secret',
    default: null,
    help: 'Queue, for `migrate` and `doctor`; required if it is not in POSTGRES_URL',
  },
  queueShards: {
    name: 'QUEUE_SHARDS',
    type: 'int',
    default: 1,
    min: 1,
    max: 64,
    help: 'Number of queues per URL in QUEUE_URL; must be the same on all processes',
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
    help: 'ClickHouse cluster of the tables; empty for a single server',
  },
  smtpUrl: {
    name: 'SMTP_URL',
    type: 'secret',
    default: null,
    help: 'Mail server of auth, for `doctor`',
  },
} as const;

export const cliConfig = defineConfig(declaration);

export type CliValues = Values<typeof declaration>;

export function readCliValues(): CliValues {
  return cliConfig.parse(process.env);
}
