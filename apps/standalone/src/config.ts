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
} as const;

export const standaloneConfig = defineConfig(declaration);

export type StandaloneValues = Values<typeof declaration> & {
  /** What the processes inherit, beside what the supervisor sets. */
  readonly inherited: Environment;
};

export function readStandaloneValues(): StandaloneValues {
  return { ...standaloneConfig.parse(process.env), inherited: process.env };
}
