import {
  connectionVariables,
  defineConfig,
  operatorVariables,
  sharedVariables,
  tracingVariables,
  type Values,
} from '@tickrate/platform';
import { checkGroupRule } from './administrators/group-rules.ts';

const declaration = {
  host: sharedVariables.host,
  port: {
    ...sharedVariables.port,
    default: 8081,
  },
  postgresUrl: {
    ...sharedVariables.postgresUrl,
    help: 'PostgreSQL database of the registry and the accounts',
  },
  clickhouseUrl: {
    ...sharedVariables.clickhouseUrl,
    default: null,
    help: 'ClickHouse over HTTP; account exports read events from it. Without it, exports contain no events',
  },
  clickhouseDatabase: sharedVariables.clickhouseDatabase,
  clickhouseCluster: sharedVariables.clickhouseCluster,
  authSecret: {
    name: 'AUTH_SECRET',
    type: 'secret',
    minLength: 32,
    help: 'Secret for the password pepper and for encryption keys. Changing it makes all stored passwords and encrypted values unusable',
  },
  secretsKey: {
    ...sharedVariables.secretsKey,
    help: 'Encrypts secrets of providers and mails of the outbox; must be the same on the console. To replace it, set `new,old`',
  },
  adminSignup: {
    name: 'ADMIN_SIGNUP',
    type: 'enum',
    values: ['invited', 'first', 'open', 'closed'],
    default: 'invited',
    help: 'Who may register as an administrator: by invitation (`invited`), the first one and then by invitation (`first`, which anyone with a public key can be), anyone (`open`), nobody (`closed`)',
  },
  adminSecondFactor: {
    name: 'ADMIN_SECOND_FACTOR',
    type: 'enum',
    values: ['optional', 'required'],
    default: 'optional',
    help: 'Whether administrators without a second factor must set one up at their next sign-in',
  },
  adminOidcIssuer: {
    name: 'ADMIN_OIDC_ISSUER',
    type: 'url',
    protocols: ['https:', 'http:'],
    check: checkIssuer,
    default: null,
    help: 'OpenID Connect provider that signs administrators in: its issuer, letter by letter. Register `CONSOLE_URL/sign-in` there as the redirect address',
  },
  adminOidcClientId: {
    name: 'ADMIN_OIDC_CLIENT_ID',
    type: 'string',
    default: null,
    help: 'Client that is registered at this provider',
  },
  adminOidcClientSecret: {
    name: 'ADMIN_OIDC_CLIENT_SECRET',
    type: 'secret',
    default: null,
    help: 'Secret of this client; without it, PKCE alone protects the code',
  },
  adminOidcName: {
    name: 'ADMIN_OIDC_NAME',
    type: 'string',
    default: null,
    help: 'Name of this provider on the sign-in page; the default is its host',
  },
  adminOidcScopes: {
    name: 'ADMIN_OIDC_SCOPES',
    type: 'list',
    default: ['openid', 'profile', 'email'],
    help: 'Scopes to request; some providers give the groups only for one of their own',
  },
  adminOidcGroupsClaim: {
    name: 'ADMIN_OIDC_GROUPS_CLAIM',
    type: 'string',
    default: 'groups',
    help: 'Claim of the ID token, or of userinfo, that lists the groups',
  },
  adminOidcGroups: {
    name: 'ADMIN_OIDC_GROUPS',
    type: 'list',
    default: [],
    check: checkGroupRule,
    help: 'Roles of the groups: `group=role` in all projects, `group=role@projectId` in one. Write a comma of a group as `%2C`. The first entry that fits counts, at every sign-in',
  },
  adminOidcOnly: {
    name: 'ADMIN_OIDC_ONLY',
    type: 'boolean',
    default: false,
    help: 'Refuses passwords of administrators. `tickrate sign-in-link` still lets one in while the provider is down',
  },
  adminOidcTrustAddresses: {
    name: 'ADMIN_OIDC_TRUST_ADDRESSES',
    type: 'boolean',
    default: false,
    help: 'Whether an address that the provider calls verified opens the existing administrator with this address',
  },
  adminEmail: {
    name: 'ADMIN_EMAIL',
    type: 'string',
    default: null,
    help: 'Address of an administrator of all projects; created at startup if it does not exist',
  },
  adminPassword: {
    name: 'ADMIN_PASSWORD',
    type: 'secret',
    default: null,
    minLength: 8,
    help: 'Initial password of the administrator ADMIN_EMAIL',
  },
  ratePerSecond: {
    name: 'SIGN_IN_RATE_PER_SECOND',
    type: 'int',
    default: 15,
    min: 1,
    help: 'Sign-in requests per second and client address',
  },
  ratePerHalfHour: {
    name: 'SIGN_IN_RATE_PER_HALF_HOUR',
    type: 'int',
    default: 300,
    min: 1,
    help: 'Sign-in requests per 30 minutes and client address',
  },
  hashMemoryKib: {
    name: 'PASSWORD_MEMORY_KIB',
    type: 'int',
    default: 19_456,
    min: 19_456,
    max: 1_048_576,
    help: 'Memory of one Argon2id hash, in KiB; a higher value applies to each account at its next sign-in',
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
    help: 'Threads that hash passwords; at most one less than the number of cores',
  },
  smtpUrl: {
    name: 'SMTP_URL',
    type: 'url',
    protocols: ['smtp:', 'smtps:'],
    default: null,
    help: 'Mail server, with user and password. Without it, mails stay in the database, for development',
  },
  outbox: {
    ...sharedVariables.outbox,
    help: 'Mails stay in the database on purpose, where the console shows them; disables the warning about a missing SMTP_URL',
  },
  mailFrom: {
    name: 'MAIL_FROM',
    type: 'string',
    default: 'Tickrate <no-reply@localhost>',
    help: 'Sender of mails',
  },
  consoleUrl: {
    name: 'CONSOLE_URL',
    type: 'url',
    protocols: ['http:', 'https:'],
    default: 'http://127.0.0.1:8082',
    help: 'Public address of the console, for the links in mails',
  },
  mailTemplates: {
    name: 'MAIL_TEMPLATES',
    type: 'string',
    default: null,
    help: 'Folder with your own mail templates, such as `de/reset.txt`; missing files use the built-in templates',
  },
  trustedProxies: sharedVariables.trustedProxies,
  allowedAddresses: sharedVariables.allowedAddresses,
  eventsUrl: sharedVariables.eventsUrl,
  sessionsUrl: sharedVariables.sessionsUrl,
  keyLifetimeMs: sharedVariables.keyLifetimeMs,
  development: {
    ...sharedVariables.development,
    help: 'Returns messages of internal errors to clients and allows providers at private addresses; never in production',
  },
  ...connectionVariables,
  ...operatorVariables,
  logLevel: sharedVariables.logLevel,
  ...tracingVariables,
} as const;

/** Codes and tokens travel to the issuer, so plain HTTP is for this machine alone. */
function checkIssuer(text: string): string | null {
  const { protocol, hostname, search, hash } = new URL(text);
  if (search !== '' || hash !== '') return 'must have no query and no fragment';
  const isLocal = ['127.0.0.1', '[::1]', 'localhost'].includes(hostname);
  return protocol === 'https:' || isLocal ? null : 'must begin with https://, except on this machine';
}

export const authConfig = defineConfig(declaration);

export type AuthValues = Values<typeof declaration>;
