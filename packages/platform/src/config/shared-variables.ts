import { checkAddressRange } from '../http/client-address.ts';
import { logLevels } from '../telemetry/logger.ts';

/** Why the address of a store cannot be used, or null. The text is not repeated: it may hold a password. */
type UrlCheck = (text: string) => string | null;

/** Others would change what Tickrate sets for every session, such as when a commit is confirmed. */
const postgresParameters = new Set(['host', 'sslmode', 'sslcert', 'sslkey', 'sslrootcert', 'uselibpqcompat']);

const checkPostgresUrl: UrlCheck = (text) => {
  const unknown = unknownParameter(text, postgresParameters);
  return unknown === null
    ? null
    : `has the parameter ${unknown}; supported are ${[...postgresParameters].join(', ')}`;
};

const checkClickhouseUrl: UrlCheck = (text) => {
  const unknown = unknownParameter(text, new Set());
  return unknown === null ? null : `has the parameter ${unknown}; parameters are not supported`;
};

/** Also finds a second https:// in front of a name. */
const checkPublicUrl: UrlCheck = (text) => {
  const { pathname, search, hash } = new URL(text);
  return pathname === '/' && search === '' && hash === ''
    ? null
    : 'has a path; write only the protocol, the name and perhaps a port, such as https://events.example.com';
};

const queueForms =
  'supported are redis://, rediss://, postgres:// and postgresql:// URLs, separated by commas; Redis Sentinel and Redis Cluster are not';

const checkQueueUrl: UrlCheck = (text) => {
  const urls = text.split(',').flatMap((url) => url.trim() || []);
  if (urls.length === 0) return `names no queue; ${queueForms}`;
  return urls.map(checkOne).find((fault) => fault !== null) ?? null;
};

function checkOne(text: string): string | null {
  if (!URL.canParse(text)) return `has an address that is no URL; ${queueForms}`;
  const { protocol, hostname, pathname, search, hash } = new URL(text);
  if (protocol === 'postgres:' || protocol === 'postgresql:') return checkPostgresUrl(text);
  if (protocol !== 'redis:' && protocol !== 'rediss:') return `begins with ${protocol}//; ${queueForms}`;
  if (hostname === '') return 'has a Redis address without a host';
  if (!/^\/?\d*$/.test(pathname)) return 'has a Redis address whose database is not a number';
  if (search !== '' || hash !== '') return 'has a Redis address with parameters, which are not supported';
  return null;
}

function unknownParameter(text: string, known: ReadonlySet<string>): string | null {
  return [...new URL(text).searchParams.keys()].find((name) => !known.has(name)) ?? null;
}

/**
 * The settings that several apps have. An app includes the ones that it reads; where a setting means something special to
 * it, it adds its own `help` or `default`. Name, type and bounds are the same everywhere.
 */
export const sharedVariables = {
  host: { name: 'HOST', type: 'string', default: '127.0.0.1', help: 'Address to listen on' },
  /** Every app adds its own default. */
  port: { name: 'PORT', type: 'int', min: 0, max: 65_535, help: 'Port to listen on; 0 picks a free one' },
  inFlightBytes: {
    name: 'IN_FLIGHT_BYTES',
    type: 'bytes',
    default: 64 * 1024 ** 2,
    min: 1024 ** 2,
    help: 'Total size of bodies waiting for the queue, shared evenly between projects. Lower while the queue is slow. Beyond it, new requests are refused',
  },
  logLevel: {
    name: 'LOG_LEVEL',
    type: 'enum',
    values: logLevels,
    default: 'info',
    help: 'Lowest level that is logged',
  },
  development: {
    name: 'DEVELOPMENT',
    type: 'boolean',
    default: false,
    help: 'Returns messages of internal errors to clients; never in production',
  },
  trustedProxies: {
    name: 'TRUSTED_PROXIES',
    type: 'list',
    default: [],
    check: checkAddressRange,
    help: 'Addresses and CIDR ranges of proxies whose X-Forwarded-For header is trusted',
  },
  allowedAddresses: {
    name: 'CONSOLE_ALLOWED_ADDRESSES',
    type: 'list',
    default: [],
    check: checkAddressRange,
    help: 'Client addresses and CIDR ranges that may use the console, its pages and its API, and sign in as administrators; must be the same on auth and the console. Everybody may if it is empty. Behind a proxy, set TRUSTED_PROXIES too',
  },
  eventsUrl: {
    name: 'EVENTS_URL',
    type: 'url',
    protocols: ['http:', 'https:'],
    check: checkPublicUrl,
    default: null,
    help: 'Public address of the gateways, for clients that ask /.well-known/tickrate',
  },
  sessionsUrl: {
    name: 'SESSIONS_URL',
    type: 'url',
    protocols: ['http:', 'https:'],
    check: checkPublicUrl,
    default: null,
    help: 'Public address of auth, for clients that ask /.well-known/tickrate',
  },
  keyLifetimeMs: {
    name: 'IDEMPOTENCY_LIFETIME',
    type: 'durationMs',
    default: 32 * 24 * 60 * 60_000,
    min: 60_000,
    help: 'How long a repeated Idempotency-Key is recognised. Clients keep events for 28 days, so less than 32 days can store a late retry twice',
  },
  postgresUrl: {
    name: 'POSTGRES_URL',
    type: 'url',
    protocols: ['postgres:', 'postgresql:'],
    check: checkPostgresUrl,
    help: 'PostgreSQL database of the registry and the delivery ledger',
  },
  queueUrl: {
    name: 'QUEUE_URL',
    type: 'secret',
    check: checkQueueUrl,
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
    help: 'Maximum size of the queue, at least 1MiB; an empty Redis has 2MiB; must be the same as on the gateways',
  },
  clickhouseUrl: {
    name: 'CLICKHOUSE_URL',
    type: 'url',
    protocols: ['http:', 'https:'],
    check: checkClickhouseUrl,
    help: 'ClickHouse over HTTP, with user and password in the URL',
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
  secretsKey: {
    name: 'SECRETS_KEY',
    type: 'secret',
    minLength: 32,
    help: 'Encrypts secrets of providers; must be the same on auth. To replace it, set `new,old`',
  },
  outbox: {
    name: 'OUTBOX',
    type: 'boolean',
    default: false,
    help: 'Shows unsent mails with their codes while auth has no mail server; for development',
  },
} as const;
