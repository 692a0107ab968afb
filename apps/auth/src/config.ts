import {
  checkAddressRange,
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
    default: 8081,
    min: 0,
    max: 65_535,
    help: 'Port to listen on; 0 takes a free one',
  },
  postgresUrl: {
    name: 'POSTGRES_URL',
    type: 'url',
    protocols: ['postgres:', 'postgresql:'],
    help: 'The database of the registry',
  },
  clickhouseUrl: {
    name: 'CLICKHOUSE_URL',
    type: 'url',
    protocols: ['http:', 'https:'],
    default: null,
    help: 'ClickHouse over HTTP, for the events in exports of accounts; without it they hold none',
  },
  clickhouseDatabase: {
    name: 'CLICKHOUSE_DATABASE',
    type: 'string',
    default: 'tickrate',
    help: 'The database that holds the events',
  },
  clickhouseCluster: {
    name: 'CLICKHOUSE_CLUSTER',
    type: 'string',
    default: null,
    help: 'The cluster that the tables are on; none for a single server',
  },
  authSecret: {
    name: 'AUTH_SECRET',
    type: 'secret',
    minLength: 32,
    help: 'What the pepper of passwords and the keys of what is sealed are made of; a new one makes both useless',
  },
  secretsKey: {
    name: 'SECRETS_KEY',
    type: 'secret',
    minLength: 32,
    help: 'What seals the secrets of providers and the mails of the outbox, the same as the console has; to replace it, the new one, a comma, and the one before',
  },
  adminSignup: {
    name: 'ADMIN_SIGNUP',
    type: 'enum',
    values: ['first', 'open', 'closed'],
    default: 'first',
    help: 'Who may register as an administrator: the first one and then by invitation, anyone, or nobody',
  },
  adminSecondFactor: {
    name: 'ADMIN_SECOND_FACTOR',
    type: 'enum',
    values: ['optional', 'required'],
    default: 'optional',
    help: 'Whether administrators who have no second factor set one up at their next sign-in',
  },
  adminEmail: {
    name: 'ADMIN_EMAIL',
    type: 'string',
    default: null,
    help: 'An administrator of all projects, made at the start when there is none of this address',
  },
  adminPassword: {
    name: 'ADMIN_PASSWORD',
    type: 'secret',
    default: null,
    minLength: 8,
    help: 'The first password of that administrator',
  },
  ratePerSecond: {
    name: 'SIGN_IN_RATE_PER_SECOND',
    type: 'int',
    default: 15,
    min: 1,
    help: 'Requests of a sign-in that one client address may make in a second',
  },
  ratePerHalfHour: {
    name: 'SIGN_IN_RATE_PER_HALF_HOUR',
    type: 'int',
    default: 300,
    min: 1,
    help: 'Requests of a sign-in that one client address may make in 30 minutes',
  },
  hashMemoryKib: {
    name: 'PASSWORD_MEMORY_KIB',
    type: 'int',
    default: 19_456,
    min: 19_456,
    max: 1_048_576,
    help: 'Memory of one Argon2id hash, in KiB; what is raised is applied at the next sign-in',
  },
  hashPasses: {
    name: 'PASSWORD_PASSES',
    type: 'int',
    default: 2,
    min: 2,
    max: 100,
    help: 'Passes of one Argon2id hash',
  },
  hashThreads: {
    name: 'PASSWORD_THREADS',
    type: 'int',
    default: 4,
    min: 1,
    max: 1_024,
    help: 'Threads that hash passwords at once, on all but one of the cores at most',
  },
  smtpUrl: {
    name: 'SMTP_URL',
    type: 'url',
    protocols: ['smtp:', 'smtps:'],
    default: null,
    help: 'The mail server, with user and password; without one mails are kept in the database, for development',
  },
  outbox: {
    name: 'OUTBOX',
    type: 'boolean',
    default: false,
    help: 'Mails are meant to stay in the database, where the console shows them: a start without SMTP_URL warns of nothing',
  },
  mailFrom: {
    name: 'MAIL_FROM',
    type: 'string',
    default: 'Tickrate <no-reply@localhost>',
    help: 'The sender of mails',
  },
  mailTemplates: {
    name: 'MAIL_TEMPLATES',
    type: 'string',
    default: null,
    help: 'A folder of mails of your own, as `de/reset.txt`; those that it does not have are ours',
  },
  trustedProxies: {
    name: 'TRUSTED_PROXIES',
    type: 'list',
    default: [],
    check: checkAddressRange,
    help: 'Addresses and CIDR ranges of the proxies whose X-Forwarded-For is believed',
  },
  development: {
    name: 'DEVELOPMENT',
    type: 'boolean',
    default: false,
    help: 'Tells clients the message of an internal fault and lets providers be at private addresses; never in production',
  },
  ...connectionVariables,
  ...operatorVariables,
  logLevel: { name: 'LOG_LEVEL', type: 'enum', values: logLevels, default: 'info', help: 'What is logged' },
} as const;

export const authConfig = defineConfig(declaration);

export type AuthValues = Values<typeof declaration>;

export function readAuthValues(): AuthValues {
  return authConfig.parse(process.env);
}
