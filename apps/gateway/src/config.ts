import { connectionVariables, defineConfig, operatorVariables, sharedVariables } from '@tickrate/platform';

export const gatewayConfig = defineConfig({
  host: sharedVariables.host,
  port: {
    ...sharedVariables.port,
    default: 8080,
  },
  ...connectionVariables,
  ...operatorVariables,
  logLevel: sharedVariables.logLevel,
  development: sharedVariables.development,
  trustedProxies: sharedVariables.trustedProxies,
  postgresUrl: sharedVariables.postgresUrl,
  queueUrl: sharedVariables.queueUrl,
  queueShards: sharedVariables.queueShards,
  queueLimitBytes: {
    ...sharedVariables.queueLimitBytes,
    help: 'Maximum size of the queue. Gateways refuse new events from 70 % until below 60 %, and 10 % earlier for heavy projects',
  },
  queueLimitAgeMs: {
    name: 'QUEUE_LIMIT_AGE',
    type: 'durationMs',
    default: 24 * 60 * 60_000,
    min: 1_000,
    help: 'Maximum age of the oldest event in the queue. Gateways refuse new events until it is a tenth younger',
  },
  storeVolumes: {
    name: 'STORE_VOLUMES',
    type: 'list',
    default: [],
    check: (item) => (item.startsWith('/') ? null : 'must be the absolute path of a folder'),
    help: 'Folders of PostgreSQL, ClickHouse or Redis that this machine sees, to know what is free on their volumes',
  },
  diskReserveBytes: {
    name: 'DISK_RESERVE',
    type: 'bytes',
    default: 512 * 1024 ** 2,
    min: 0,
    help: 'What must be free on each volume of the stores, beside room for what is queued; with less, new events are refused until a quarter more is free. 0 never refuses',
  },
  postgresDiskLimitBytes: {
    name: 'POSTGRES_DISK_LIMIT',
    type: 'bytes',
    default: null,
    min: 1024 ** 2,
    help: 'Maximum size of the database in POSTGRES_URL. Set it if its volume is not in STORE_VOLUMES, because PostgreSQL does not report free space',
  },
  expressBytes: {
    name: 'EXPRESS_BYTES',
    type: 'bytes',
    default: 512 * 1024,
    min: 1,
    help: 'A project sending less than this many compressed bytes per second keeps priority over flooding projects',
  },
  inFlightBytes: {
    name: 'IN_FLIGHT_BYTES',
    type: 'bytes',
    default: 64 * 1024 ** 2,
    min: 1024 ** 2,
    help: 'Total size of bodies waiting for the queue, shared evenly between projects. Lower while the queue is slow. Beyond it, new requests are refused',
  },
  streamBytes: {
    name: 'STREAM_BYTES',
    type: 'bytes',
    default: 1024 ** 3,
    min: 1024 ** 2,
    help: 'Maximum size of a streamed body (NDJSON to multiInsert), inflated',
  },
  streamIdleMs: {
    name: 'STREAM_IDLE',
    type: 'durationMs',
    default: 30_000,
    min: 100,
    max: 110_000,
    help: 'Maximum pause within a streamed body',
  },
  streamTimeoutMs: {
    name: 'STREAM_TIMEOUT',
    type: 'durationMs',
    default: 60 * 60_000,
    min: 30_000,
    help: 'Maximum duration of a streamed body',
  },
  streams: {
    name: 'STREAMS',
    type: 'int',
    default: 64,
    min: 1,
    max: 10_000,
    help: 'Concurrent streamed bodies, shared evenly between projects; more are refused',
  },
  rateOfAddress: {
    name: 'RATE_PER_ADDRESS',
    type: 'int',
    default: 1_000,
    min: 0,
    help: 'Requests per second and client address with public or session keys; 0 means no limit',
  },
  rateOfKey: {
    name: 'RATE_PER_KEY',
    type: 'int',
    default: 20_000,
    min: 0,
    help: 'Requests per second and key; 0 means no limit',
  },
  rateOfProject: {
    name: 'RATE_PER_PROJECT',
    type: 'int',
    default: 50_000,
    min: 0,
    help: 'Requests per second and project; 0 means no limit',
  },
  quarantineBurst: {
    name: 'QUARANTINE_BURST',
    type: 'int',
    default: 20,
    min: 0,
    max: 1_000,
    help: 'Rejected events per type and reason that are kept at once; 0 only counts them',
  },
  quarantineRate: {
    name: 'QUARANTINE_RATE',
    type: 'int',
    default: 1,
    min: 0,
    max: 1_000,
    help: 'Rejected events per type and reason that are kept per second after that',
  },
  storeClientAddress: {
    name: 'STORE_CLIENT_ADDRESS',
    type: 'enum',
    values: ['none', 'prefix'],
    default: 'none',
    help: 'What is stored of the client address with events: nothing (`none`), or its network, /24 or /64 (`prefix`)',
  },
});

export type GatewayConfig = ReturnType<typeof gatewayConfig.parse>;

export function readGatewayConfig(): GatewayConfig {
  return gatewayConfig.parse(process.env);
}
