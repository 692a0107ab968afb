import { checkAddressRange, defineConfig, logLevels } from '@tickrate/platform';

export const gatewayConfig = defineConfig({
  host: { name: 'HOST', type: 'string', default: '127.0.0.1', help: 'Address to listen on' },
  port: {
    name: 'PORT',
    type: 'int',
    default: 8080,
    min: 0,
    max: 65_535,
    help: 'Port to listen on; 0 takes a free one',
  },
  logLevel: { name: 'LOG_LEVEL', type: 'enum', values: logLevels, default: 'info', help: 'What is logged' },
  development: {
    name: 'DEVELOPMENT',
    type: 'boolean',
    default: false,
    help: 'Tells clients the message of an internal fault; never in production',
  },
  trustedProxies: {
    name: 'TRUSTED_PROXIES',
    type: 'list',
    default: [],
    check: checkAddressRange,
    help: 'Addresses and CIDR ranges of the proxies whose X-Forwarded-For is believed',
  },
  postgresUrl: {
    name: 'POSTGRES_URL',
    type: 'url',
    protocols: ['postgres:', 'postgresql:'],
    help: 'The database of the registry and the delivery ledger',
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
    help: 'Queues in each store',
  },
  queueLimitBytes: {
    name: 'QUEUE_LIMIT_BYTES',
    type: 'bytes',
    default: 2 * 1024 ** 3,
    min: 1024 ** 2,
    help: 'What the queue may hold; new events are refused from 70 % of it until below 60 %, and 10 % earlier those of projects that send much',
  },
  queueLimitAgeMs: {
    name: 'QUEUE_LIMIT_AGE',
    type: 'durationMs',
    default: 24 * 60 * 60_000,
    min: 1_000,
    help: 'How old the oldest events in the queue may be; new ones are refused until they are a tenth younger',
  },
  expressBytes: {
    name: 'EXPRESS_BYTES',
    type: 'bytes',
    default: 512 * 1024,
    min: 1,
    help: 'Compressed bytes a second up to which the events of a project wait behind none of a project that floods',
  },
  inFlightBytes: {
    name: 'IN_FLIGHT_BYTES',
    type: 'bytes',
    default: 64 * 1024 ** 2,
    min: 1024 ** 2,
    help: 'Bodies that wait for the queue, shared evenly by the projects that send, and less when they would wait for long; beyond it new ones are refused',
  },
  streamBytes: {
    name: 'STREAM_BYTES',
    type: 'bytes',
    default: 1024 ** 3,
    min: 1024 ** 2,
    help: 'What one streamed body (NDJSON to multiInsert) may be, inflated',
  },
  streamIdleMs: {
    name: 'STREAM_IDLE',
    type: 'durationMs',
    default: 30_000,
    min: 100,
    max: 110_000,
    help: 'The longest that the next bytes of a streamed body may take',
  },
  streamTimeoutMs: {
    name: 'STREAM_TIMEOUT',
    type: 'durationMs',
    default: 60 * 60_000,
    min: 30_000,
    help: 'The longest that a streamed body may take in all',
  },
  streams: {
    name: 'STREAMS',
    type: 'int',
    default: 64,
    min: 1,
    max: 10_000,
    help: 'Streamed bodies at a time, shared evenly by the projects that send them; more are refused',
  },
  rateOfAddress: {
    name: 'RATE_PER_ADDRESS',
    type: 'int',
    default: 1_000,
    min: 0,
    help: 'Requests a second of one client address with public or session keys; 0 is no limit',
  },
  rateOfKey: {
    name: 'RATE_PER_KEY',
    type: 'int',
    default: 20_000,
    min: 0,
    help: 'Requests a second of one key; 0 is no limit',
  },
  rateOfProject: {
    name: 'RATE_PER_PROJECT',
    type: 'int',
    default: 50_000,
    min: 0,
    help: 'Requests a second of one project; 0 is no limit',
  },
  quarantineBurst: {
    name: 'QUARANTINE_BURST',
    type: 'int',
    default: 20,
    min: 0,
    max: 1_000,
    help: 'Rejected events of one type and reason that are kept at once; 0 keeps none, they are only counted',
  },
  quarantineRate: {
    name: 'QUARANTINE_RATE',
    type: 'int',
    default: 1,
    min: 0,
    max: 1_000,
    help: 'How many of one type and reason are kept each second after that',
  },
  storeClientAddress: {
    name: 'STORE_CLIENT_ADDRESS',
    type: 'enum',
    values: ['none', 'prefix'],
    default: 'none',
    help: 'What is kept of a client address with its events: nothing, or its network (/24, /64)',
  },
});

export type GatewayConfig = ReturnType<typeof gatewayConfig.parse>;

export function readGatewayConfig(): GatewayConfig {
  return gatewayConfig.parse(process.env);
}
