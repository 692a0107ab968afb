import { defineConfig, type Environment, logLevels, type Values } from '@tickrate/platform';

const declaration = {
  logLevel: { name: 'LOG_LEVEL', type: 'enum', values: logLevels, default: 'info', help: 'What is logged' },
  noColor: {
    name: 'NO_COLOR',
    type: 'string',
    default: null,
    help: 'With any value, the terminal gets no colours and no moving signs',
  },
  postgresUrl: {
    name: 'POSTGRES_URL',
    type: 'url',
    protocols: ['postgres:', 'postgresql:'],
    default: null,
    help: 'For `npm run tickrate`: works on this database instead of the one of the data folder',
  },
  queueUrl: {
    name: 'QUEUE_URL',
    type: 'secret',
    default: null,
    help: 'For `npm run tickrate`: the queue, when it is not in that database',
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
    help: 'For `npm run tickrate -- migrate`: the ClickHouse to bring up to date',
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
    help: 'For `npm run tickrate -- doctor`: the mail server, as auth is told of it',
  },
  url: {
    name: 'TICKRATE_URL',
    type: 'url',
    protocols: ['http:', 'https:'],
    default: null,
    help: 'For `npm run tickrate`: the management API, instead of the one of the data folder',
  },
  gatewayUrl: {
    name: 'TICKRATE_GATEWAY_URL',
    type: 'url',
    protocols: ['http:', 'https:'],
    default: null,
    help: 'For `npm run tickrate -- send`: the gateway',
  },
  authUrl: {
    name: 'TICKRATE_AUTH_URL',
    type: 'url',
    protocols: ['http:', 'https:'],
    default: null,
    help: 'For `npm run tickrate -- sign-in`: where administrators sign in',
  },
  key: {
    name: 'TICKRATE_KEY',
    type: 'secret',
    default: null,
    help: 'For `npm run tickrate`: the key of its calls',
  },
  password: {
    name: 'TICKRATE_PASSWORD',
    type: 'secret',
    default: null,
    help: 'For `npm run tickrate -- sign-in`: the password, instead of asking for it',
  },
} as const;

export const standaloneConfig = defineConfig(declaration);

export type StandaloneValues = Values<typeof declaration> & {
  /** What the processes inherit, beside what the supervisor sets. */
  readonly inherited: Environment;
};

export function readStandaloneValues(): StandaloneValues {
  return { ...standaloneConfig.parse(process.env), inherited: process.env };
}
