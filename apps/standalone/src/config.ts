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
    help: '`npm run tickrate` works on this database instead of the one in the data folder',
  },
  queueUrl: {
    name: 'QUEUE_URL',
    type: 'string',
    default: null,
    help: '`npm run tickrate` reads this queue; with POSTGRES_URL alone it is in that database',
  },
  clickhouseUrl: {
    name: 'CLICKHOUSE_URL',
    type: 'url',
    protocols: ['http:', 'https:'],
    default: null,
    help: '`npm run tickrate -- migrate` also brings this ClickHouse up to date',
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
