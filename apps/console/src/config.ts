import {
  checkWebOrigin,
  connectionVariables,
  defineConfig,
  operatorVariables,
  sharedVariables,
  tracingVariables,
  type Values,
} from '@tickrate/platform';

const declaration = {
  host: sharedVariables.host,
  port: {
    ...sharedVariables.port,
    default: 8082,
  },
  postgresUrl: sharedVariables.postgresUrl,
  queueUrl: sharedVariables.queueUrl,
  queueShards: sharedVariables.queueShards,
  queueLimitBytes: sharedVariables.queueLimitBytes,
  secretsKey: sharedVariables.secretsKey,
  clickhouseUrl: sharedVariables.clickhouseUrl,
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
  clickhouseDatabase: sharedVariables.clickhouseDatabase,
  clickhouseCluster: sharedVariables.clickhouseCluster,
  outbox: sharedVariables.outbox,
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
  authUrl: {
    name: 'AUTH_URL',
    type: 'url',
    protocols: ['http:', 'https:'],
    default: 'http://127.0.0.1:8081',
    help: 'Address of auth: the pages sign administrators in through it',
  },
  publicGatewayUrl: {
    name: 'PUBLIC_GATEWAY_URL',
    type: 'url',
    protocols: ['http:', 'https:'],
    default: null,
    help: 'Where games send events: the pages show it in their examples, and send test events there. `npm start` sets it',
  },
  publicAuthUrl: {
    name: 'PUBLIC_AUTH_URL',
    type: 'url',
    protocols: ['http:', 'https:'],
    default: null,
    help: 'Where games sign players in; the pages show it in their examples',
  },
  allowedAddresses: sharedVariables.allowedAddresses,
  boundToAddress: {
    name: 'SESSION_BOUND_TO_ADDRESS',
    type: 'boolean',
    default: true,
    help: 'Whether the session of a browser is valid only from the network address of its sign-in',
  },
  pagesFolder: {
    name: 'PAGES_FOLDER',
    type: 'string',
    default: null,
    help: 'Folder with the built pages; the default is the folder `dist` of the console',
  },
  development: {
    ...sharedVariables.development,
    help: 'Returns messages of internal errors to clients and accepts providers at private addresses; never in production',
  },
  trustedProxies: sharedVariables.trustedProxies,
  ...connectionVariables,
  ...operatorVariables,
  logLevel: sharedVariables.logLevel,
  ...tracingVariables,
} as const;

export const consoleConfig = defineConfig(declaration);

export type ConsoleValues = Values<typeof declaration>;
