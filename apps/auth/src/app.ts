import { randomBytes } from 'node:crypto';
import { availableParallelism } from 'node:os';
import {
  type Accounts,
  createTokenMemory,
  emptyOutbox,
  ensureInstallationOwner,
  findDeviceSecret,
  inRealm,
  migrateAuth,
  purge,
  putMail,
  readAddress,
  spendToken,
} from '@tickrate/accounts';
import { createRecordId, describeInstallation, type Operation, sessionVersions } from '@tickrate/contract';
import { createErasures, createQuarantine } from '@tickrate/pipeline';
import {
  type App,
  addDiscoveryRoute,
  addDocumentRoutes,
  addHealthRoutes,
  addOperations,
  type Component,
  ConfigFault,
  connectionLimits,
  createAddressVoucher,
  createHealth,
  createHttpServer,
  createKeyedLock,
  createLogger,
  createMetrics,
  createOperatorServer,
  createRangeCheck,
  createSecretBox,
  createSecretBoxOf,
  createTracing,
  type DestinationStream,
  discoveryPaths,
  type HttpServer,
} from '@tickrate/platform';
import { createPostgres } from '@tickrate/postgres';
import { createRegistry, createRegistryCache } from '@tickrate/registry';
import { createWarehouse } from '@tickrate/warehouse';
import { findDeadRules } from './administrators/group-rules.ts';
import { createStudioProvider } from './administrators/studio-provider.ts';
import { createAuthEvents } from './auth-events.ts';
import { createCheckAddress } from './callers/address-rates.ts';
import { type AuthValues, authConfig } from './config.ts';
import { createSessionDocument } from './document/session-document.ts';
import { createKeyring } from './keyring.ts';
import { createInvitationMails, createSecurityMails } from './mail/due-mails.ts';
import { MailFlows } from './mail/mail-flows.ts';
import { createWriteMail, readMailTemplates } from './mail/mail-texts.ts';
import { createMailer } from './mail/mailer.ts';
import type { AuthParts } from './parts.ts';
import { createPasswordHasher, hashesAtOnce } from './passwords/password-hasher.ts';
import { createPasswordJudge } from './passwords/password-weakness.ts';
import type { ProviderName } from './providers/provider.ts';
import { createTokenVerifier } from './providers/token-verifier.ts';
import { createAuthRoutes } from './routes/auth-routes.ts';
import { readPassword } from './sign-in/credentials.ts';
import { createReadSettings } from './sign-in/settings.ts';
import { createVerifyTokens } from './sign-in/verify-tokens.ts';

/** Replaced by tests. */
export interface AuthOverrides {
  readonly now?: () => number;
  readonly logDestination?: DestinationStream;
}

export interface Auth extends App {
  readonly server: HttpServer;
  /** Every call of the session API, in the order of its document. */
  readonly operations: readonly Operation[];
}

/** Creates the process of the session API. Connects to nothing until it is started; then it migrates its schema. */
export function createAuth(values: AuthValues, overrides: AuthOverrides = {}): Auth {
  const { logDestination: destination, now = Date.now } = overrides;
  const logger = createLogger({ name: 'auth', level: values.logLevel, ...(destination && { destination }) });
  const metrics = createMetrics({ processMetrics: true });
  const events = createAuthEvents({ logger, metrics });
  const onFaultOf = (dependency: string) => (error: unknown) => events.dependencyFault(dependency, error);
  const newId = () => createRecordId(now(), randomBytes);
  const sealer = createSecretBoxOf(values.secretsKey);

  // PostgreSQL: the accounts, and the projects with their keys and settings.
  const postgres = createPostgres({
    postgresUrl: values.postgresUrl,
    name: 'tickrate-auth',
    metrics,
    maxConnections: 20,
    onFault: onFaultOf('postgres'),
  });
  const registry = createRegistry({ postgres, now, sealer });
  const cache = createRegistryCache({ postgres, now, onFault: onFaultOf('postgres') });
  const keyring = createKeyring(values.authSecret);
  const hasher = createPasswordHasher({
    pepper: keyring.pepper,
    memoryKiB: values.hashMemoryKib,
    passes: values.hashPasses,
    atOnce: hashesAtOnce(availableParallelism(), values.hashThreads),
    queueLimit: 200,
  });
  const accounts: Accounts = {
    db: postgres,
    keyring,
    box: createSecretBox(keyring.boxKey),
    now,
    randomBytes,
    newId,
    verifyPassword: hasher.verify,
    passwordLock: createKeyedLock(),
  };

  // ClickHouse, for exports.
  const warehouse =
    values.clickhouseUrl === null
      ? null
      : createWarehouse({
          clickhouseUrl: values.clickhouseUrl,
          database: values.clickhouseDatabase,
          cluster: values.clickhouseCluster,
        });

  // Mails.
  const mailer = createMailer({
    smtpUrl: values.smtpUrl,
    from: values.mailFrom,
    development: values.development,
    putInOutbox: ({ realm, text, ...mail }) =>
      putMail(inRealm(postgres, realm), {
        ...mail,
        id: newId(),
        body: sealer.seal(text, 'outbox'),
        sentMs: now(),
      }),
  });
  const { templates, faults } = readMailTemplates(values.mailTemplates);
  // Reported before anything connects.
  if (faults.length > 0) throw new ConfigFault(faults.map((fault) => ({ name: 'MAIL_TEMPLATES', fault })));
  const write = createWriteMail(templates);
  const { adminSignup, consoleUrl } = values;
  const mailing = { accounts, send: mailer.send, write, onFault: onFaultOf('mail') };
  const mails = new MailFlows({ ...mailing, hasher, adminSignup });
  const invitations = createInvitationMails({ ...mailing, consoleUrl });
  const securityMails = createSecurityMails(mailing);

  // Platforms.
  const verifying = {
    findDeviceSecret: (realm: string, deviceId: string) => findDeviceSecret(accounts, realm, deviceId),
    spendToken: (hash: string, expiresMs: number) => spendToken(accounts, hash, expiresMs),
    now,
    onFault: (error: unknown, provider: ProviderName) => events.dependencyFault(provider, error),
    onVerdict: events.tokenVerdict,
  };
  const players = createTokenVerifier({ ...verifying, development: values.development });
  const sender = { exchangeId: 'userinfo', onlyExchange: true, keyId: '', clientAddress: '' };
  const userinfo = createTokenMemory(accounts, sender);
  const administrators = createTokenVerifier({
    ...verifying,
    // The operator names their provider, which may be at a private address.
    development: true,
    moreClaims: async (hash) => JSON.parse((await userinfo.recall([hash])).get(hash) ?? '{}'),
  });
  const studio = createStudioProvider(values, { now, events });

  const parts: AuthParts = {
    config: values,
    events,
    accounts,
    registry,
    cache,
    readSettings: createReadSettings({
      cache,
      sealer,
      administrators: values,
      studio,
      onFault: onFaultOf('settings'),
    }),
    checkAddress: createCheckAddress(accounts, [
      { burst: values.ratePerSecond, perSecond: values.ratePerSecond },
      { burst: values.ratePerHalfHour, perSecond: values.ratePerHalfHour / 1800 },
    ]),
    isAdministratorAddress:
      values.allowedAddresses.length === 0 ? () => true : createRangeCheck(values.allowedAddresses),
    verifyTokens: createVerifyTokens(accounts, { players, administrators }),
    studio,
    userinfo,
    hasher,
    judgePassword: createPasswordJudge(),
    mails,
    inFlight: new Map(),
    warehouse,
    quarantine: createQuarantine({ postgres }),
    erasures: createErasures({ postgres, newId }),
  };

  metrics.gauge({
    name: 'tickrate_auth_waiting_passwords',
    help: 'Passwords that wait for a thread to be hashed or verified',
    read: hasher.waiting,
  });
  const health = createHealth({
    checks: { registry: () => (cache.healthy() ? null : 'changes of the registry cannot be followed') },
  });
  const routes = createAuthRoutes(parts);
  const operations = routes.routes.map(({ operation }) => operation);
  const operator = createOperatorServer({ ...values, logger, metrics, health });
  const server = createHttpServer({
    traced: true,
    ...values,
    logger,
    metrics,
    limits: connectionLimits(values),
    versions: sessionVersions,
    addressVoucher: createAddressVoucher(values.secretsKey, now),
    browserPaths: [...sessionVersions.map((version) => `/${version}/`), discoveryPaths],
    routes: (app) => {
      addOperations(app, routes);
      addHealthRoutes(app, { health });
      addDocumentRoutes(app, () => createSessionDocument(operations));
      addDiscoveryRoute(app, describeInstallation(values));
    },
  });
  logger.info({ config: authConfig.dump(values) }, 'configured');
  if (values.smtpUrl === null && !values.development && !values.outbox) {
    logger.warn('SMTP_URL is not set: mails stay in the outbox and are not sent');
  }
  const components: Component[] = [
    createTracing({ ...values, name: 'auth', logger, metrics }),
    operator,
    { name: 'store', start: () => migrateAuth(values.postgresUrl), stop: () => postgres.close() },
    ...(values.smtpUrl === null ? [] : [{ name: 'outbox', start: () => emptyOutbox(postgres) }]),
    { name: 'registry', stop: () => registry.close() },
    { name: 'events', stop: async () => warehouse?.close() },
    { name: 'cache', start: cache.start, stop: cache.stop },
    { name: 'secrets', start: async () => events.resealed(await registry.resealProviders()) },
    { name: 'hasher', stop: () => hasher.close() },
    { name: 'owner', start: () => createOwner(parts, values) },
    { name: 'provider of administrators', start: () => checkStudio(parts, values) },
    {
      name: 'providers',
      async stop() {
        for (const each of [players, administrators, studio]) each?.close();
      },
    },
    { name: 'mailer', stop: async () => mailer.close() },
    createPurge(parts),
    { name: 'mails', drain: () => mails.drain(), stop: () => mails.drain() },
    { name: 'invitations', start: invitations.start, stop: invitations.stop },
    { name: 'security mails', start: securityMails.start, stop: securityMails.stop },
    server,
  ];
  return { logger, metrics, health, server, operations, components };
}

/** Creates the administrator that the configuration names, unless this address has one. */
async function createOwner(
  { accounts, hasher, events }: AuthParts,
  { adminEmail, adminPassword }: AuthValues,
): Promise<void> {
  const derived = readPassword({ password: adminPassword ?? undefined });
  if (adminEmail === null || derived === null) return;
  const email = readAddress(adminEmail);
  const isCreated = await ensureInstallationOwner(accounts, email, await hasher.hash(derived));
  if (isCreated) events.ownerCreated(email.address);
}

/** Reports what the operator must mend. Players sign in meanwhile, so it does not end the start. */
async function checkStudio(
  { studio, registry, events }: AuthParts,
  { adminOidcGroups }: AuthValues,
): Promise<void> {
  if (studio === null) return;
  const [fault, dead] = await Promise.all([studio.findFault(), findDeadRules(registry, adminOidcGroups)]);
  if (fault !== null) events.studioProviderFault(fault);
  if (dead.length > 0) events.deadGroupRules(dead);
}

const purgeEveryMs = 10 * 60_000;

function createPurge({ accounts, events }: AuthParts): Component {
  let timer: NodeJS.Timeout | undefined;
  let running = Promise.resolve();
  return {
    name: 'purge',
    async start() {
      timer = setInterval(() => {
        running = purge(accounts.db, accounts.now()).catch((error) => events.dependencyFault('purge', error));
      }, purgeEveryMs);
    },
    stop() {
      clearInterval(timer);
      return running;
    },
  };
}
