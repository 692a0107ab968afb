import { defineConfig, sharedVariables, type Values } from '@tickrate/platform';

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
  publicKey: {
    name: 'TICKRATE_PUBLIC_KEY',
    type: 'string',
    default: null,
    help: 'Public key of a project, for `sign-in`; default from the data folder',
  },
  password: {
    name: 'TICKRATE_PASSWORD',
    type: 'secret',
    default: null,
    help: 'Password for `sign-in`; without it, `sign-in` prompts for one',
  },
  postgresUrl: {
    ...sharedVariables.postgresUrl,
    default: null,
    help: 'PostgreSQL database, for `migrate`, `first-project`, `sign-in-link` and `doctor`; default from the data folder',
  },
  queueUrl: {
    ...sharedVariables.queueUrl,
    default: null,
    help: 'Queue, for `migrate` and `doctor`; required if it is not in POSTGRES_URL',
  },
  queueShards: sharedVariables.queueShards,
  diskReserveBytes: {
    name: 'DISK_RESERVE',
    type: 'bytes',
    default: 512 * 1024 ** 2,
    min: 0,
    help: 'Free space that the disks of the databases need for gateways to accept events; must be the same as on the gateways',
  },
  clickhouseUrl: {
    ...sharedVariables.clickhouseUrl,
    default: null,
    help: 'ClickHouse, for `migrate` and `doctor`',
  },
  clickhouseDatabase: sharedVariables.clickhouseDatabase,
  clickhouseCluster: sharedVariables.clickhouseCluster,
  smtpUrl: {
    name: 'SMTP_URL',
    type: 'secret',
    default: null,
    help: 'Mail server of auth, for `doctor`',
  },
  adminOidcIssuer: {
    name: 'ADMIN_OIDC_ISSUER',
    type: 'url',
    default: null,
    help: 'OpenID Connect provider of administrators, for `doctor`',
  },
} as const;

export const cliConfig = defineConfig(declaration);

export type CliValues = Values<typeof declaration>;
