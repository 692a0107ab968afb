import { randomBytes } from 'node:crypto';
import { availableParallelism } from 'node:os';
import {
  createStoredSpentTokens,
  emptyOutbox,
  findDeviceSecret,
  inRealm,
  migrateAuth,
  purge,
  putMail,
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
  createLogger,
  createMetrics,
  createOperatorServer,
  createSecretBox,
  createSecretBoxOf,
  type DestinationStream,
  discoveryPaths,
  type HttpServer,
  type OperationsOptions,
  type SecretBox,
} from '@tickrate/platform';
import { createPostgres } from '@tickrate/postgres';
import { createRegistry, createRegistryCache } from '@tickrate/registry';
import { createWarehouse } from '@tickrate/warehouse';
import { createAccountEvents } from './account-events.ts';
import { type AuthEvents, createAuthEvents } from './auth-events.ts';
import { createCheckAddress } from './callers/address-rates.ts';
import { createAdmitCaller } from './callers/call.ts';
import { type Caller, createIdentifyCaller } from './callers/identify-caller.ts';
import { type AuthValues, authConfig } from './config.ts';
import { createSessionDocument } from './document/session-document.ts';
import { createInstallationOwner } from './installation-owner.ts';
import { createInvitationMails } from './mail/invitation-mails.ts';
import { createMailFlows } from './mail/mail-flows.ts';
import { createWriteMail, readMailTemplates, type WriteMail } from './mail/mail-texts.ts';
import { createMailer, type Mailer } from './mail/mailer.ts';
import { createNoticeMails } from './mail/notice-mails.ts';
import { createPasswordHasher, hashesAtOnce } from './passwords/password-hasher.ts';
import { createPasswordJudge } from './passwords/password-weakness.ts';
import { createStrengthCheck, createWeighPassword } from './passwords/strength-check.ts';
import { createTokenVerifier } from './providers/token-verifier.ts';
import { createAccountRoutes } from './routes/account-routes.ts';
import { createWriteAudit } from './routes/audited.ts';
import { costlyOperations, createAuthRoutes } from './routes/auth-routes.ts';
import { createErasureRoutes } from './routes/erasure-routes.ts';
import { createMailTokenRoutes } from './routes/mail-token-routes.ts';
import { createSessionRoutes } from './routes/session-routes.ts';
import { createTwoFactorRoutes } from './routes/two-factor-routes.ts';
import { createSignIn } from './sign-in/create-sign-in.ts';
import { createKeyring } from './sign-in/keyring.ts';
import type { Ground } from './sign-in/sign-in.ts';

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
  const { logDestination: destination } = overrides;
  const logger = createLogger({ name: 'auth', level: values.logLevel, ...(destination && { destination }) });
  const metrics = createMetrics({ processMetrics: true });
  const events = createAuthEvents({ logger, metrics });
  const parts = createParts(values, events, overrides.now ?? Date.now);
  const { cache, registry, ground, mails, invitations, notices } = parts;
  const health = createHealth({
    checks: { registry: () => (cache.healthy() ? null : 'changes of the registry cannot be followed') },
  });
  const table = createTable(values, parts);
  const operations = table.routes.map(({ operation }) => operation);
  const operator = createOperatorServer({ ...values, logger, metrics, health });
  const server = createHttpServer({
    ...values,
    logger,
    metrics,
    limits: connectionLimits(values),
    versions: sessionVersions,
    addressVoucher: createAddressVoucher(values.secretsKey, overrides.now ?? Date.now),
    browserPaths: [...sessionVersions.map((version) => `/${version}/`), discoveryPaths],
    routes: (app) => {
      addOperations(app, table);
      addHealthRoutes(app, { health });
      addDocumentRoutes(app, () => createSessionDocument(operations));
      addDiscoveryRoute(app, describeInstallation(values));
    },
  });
  logger.info({ config: authConfig.dump(values) }, 'configured');
  if (values.smtpUrl === null && !values.development && !values.outbox) {
    logger.warn('no mail is sent: SMTP_URL is not set, so mails stay in the outbox');
  }
  return {
    logger,
    metrics,
    health,
    server,
    operations,
    components: [
      operator,
      { name: 'store', start: () => migrateAuth(values.postgresUrl), stop: () => ground.db.close() },
      ...(values.smtpUrl === null ? [] : [{ name: 'outbox', start: () => emptyOutbox(ground.db) }]),
      { name: 'registry', stop: () => registry.close() },
      { name: 'events', stop: () => parts.eventStores.close() },
      { name: 'cache', start: cache.start, stop: cache.stop },
      { name: 'secrets', start: async () => events.resealed(await registry.resealProviders()) },
      { name: 'hasher', stop: () => parts.hasher.close() },
      { name: 'owner', start: createInstallationOwner(values, parts) },
      { name: 'providers', stop: async () => parts.verifier.close() },
      { name: 'mailer', stop: async () => parts.mailer.close() },
      purgeComponent(parts),
      { name: 'mails', drain: mails.drain, stop: mails.drain },
      { name: 'invitations', start: invitations.start, stop: invitations.stop },
      { name: 'notices', start: notices.start, stop: notices.stop },
      server,
    ],
  };
}

const purgeEveryMs = 10 * 60_000;

function purgeComponent({ ground, events }: Parts): Component {
  let timer: NodeJS.Timeout | undefined;
  let running = Promise.resolve();
  return {
    name: 'purge',
    async start() {
      timer = setInterval(() => {
        running = purge(ground.db, ground.now()).catch((error) => events.dependencyFault('purge', error));
      }, purgeEveryMs);
    },
    stop() {
      clearInterval(timer);
      return running;
    },
  };
}

type Parts = ReturnType<typeof createParts>;

function createParts(values: AuthValues, events: AuthEvents, now: () => number) {
  const { postgresUrl } = values;
  const keyring = createKeyring(values.authSecret);
  const box = createSecretBox(keyring.boxKey);
  const sealer = createSecretBoxOf(values.secretsKey);
  const onFault = (error: unknown) => events.dependencyFault('postgres', error);
  const db = createPostgres({ postgresUrl, name: 'tickrate-auth', maxConnections: 20, onFault });
  const newId = () => createRecordId(now(), randomBytes);
  const ground: Ground = { db, keyring, box, now, randomBytes, newId };
  const hasher = events.whenBusy(
    createPasswordHasher({
      pepper: keyring.pepper,
      memoryKiB: values.hashMemoryKib,
      passes: values.hashPasses,
      parallelism: 1,
      atOnce: hashesAtOnce(availableParallelism(), values.hashThreads),
      queueLimit: 200,
    }),
  );
  const mailer = createMailerOf(values, ground, sealer);
  const mailing = {
    send: mailer.send,
    write: createWriteMailOf(values),
    onFault: (error: unknown) => events.dependencyFault('mail', error),
  };
  const mails = createMailFlows(ground, { ...mailing, hasher, adminSignup: values.adminSignup });
  return {
    ground,
    hasher,
    mailer,
    mails,
    events,
    sealer,
    invitations: createInvitationMails(ground, mailing),
    notices: createNoticeMails(ground, mailing),
    verifier: createTokenVerifier({
      deviceSecrets: { find: (realm, deviceId) => findDeviceSecret(inRealm(db, realm), deviceId) },
      spentTokens: createStoredSpentTokens(db),
      development: values.development,
      now,
      onFault: (error, provider) => events.dependencyFault(provider, error),
      onVerdict: events.tokenVerdict,
    }),
    cache: createRegistryCache({ postgres: db, now, onFault }),
    registry: createRegistry({ postgres: db, now, sealer }),
    eventStores: createEventStores(values, ground),
  };
}

/** The stores of an account's events, for exports and for the progress of an erasure. */
function createEventStores(
  { clickhouseUrl, clickhouseDatabase: database, clickhouseCluster: cluster }: AuthValues,
  { db: postgres, newId, now }: Ground,
) {
  const warehouse = clickhouseUrl === null ? null : createWarehouse({ clickhouseUrl, database, cluster });
  const quarantine = createQuarantine({ postgres });
  return {
    events: createAccountEvents({ warehouse, quarantine }, now),
    erasures: createErasures({ postgres, newId }),
    close: async () => warehouse?.close(),
  };
}

function createMailerOf(
  { smtpUrl, mailFrom: from, development }: AuthValues,
  { db, newId: newMailId, now }: Ground,
  sealer: SecretBox,
): Mailer {
  return createMailer({
    smtpUrl,
    from,
    development,
    outbox: {
      put: ({ realm, to, subject, text }) => {
        const body = sealer.seal(text, 'outbox');
        return putMail(inRealm(db, realm), { id: newMailId(), to, subject, body, sentMs: now() });
      },
    },
  });
}

/** Faults of templates are faults of the configuration: reported before anything connects. */
function createWriteMailOf({ mailTemplates }: AuthValues): WriteMail {
  const { templates, faults } = readMailTemplates(mailTemplates);
  if (faults.length > 0) throw new ConfigFault(faults.map((fault) => ({ name: 'MAIL_TEMPLATES', fault })));
  return createWriteMail(templates);
}

function createTable(
  values: AuthValues,
  { ground, hasher, mails, events, cache, registry, verifier, eventStores, sealer }: Parts,
): OperationsOptions<Caller> {
  const { db, now } = ground;
  const audit = createWriteAudit(ground);
  const weighPassword = createWeighPassword(createPasswordJudge());
  const checkStrength = createStrengthCheck(weighPassword);
  const { ratePerSecond, ratePerHalfHour } = values;
  const checkAddress = createCheckAddress(ground, [
    { burst: ratePerSecond, perSecond: ratePerSecond },
    { burst: ratePerHalfHour, perSecond: ratePerHalfHour / 1800 },
  ]);
  const routes = createAuthRoutes({
    checkAddress,
    authenticate: createSignIn({
      ground,
      registry,
      cache,
      hasher,
      checkStrength,
      weighPassword,
      sealer,
      verifier,
      onSettingsFault: (fault) => events.dependencyFault('settings', fault),
      mails,
      administrators: values,
    }),
    session: createSessionRoutes({ ground, audit }),
    account: createAccountRoutes({
      ground,
      audit,
      hasher,
      mails,
      checkStrength,
    }),
    erasure: createErasureRoutes({ ...eventStores, ground, audit, registry }),
    twoFactor: createTwoFactorRoutes({ ground, audit }),
    mailTokens: createMailTokenRoutes({
      ground,
      hasher,
      mails,
      checkStrength,
    }),
  });
  const identify = createIdentifyCaller({ registry: cache, db, now });
  return {
    routes,
    admit: createAdmitCaller({ identify, checkAddress, costly: costlyOperations }),
    versions: sessionVersions,
    lenient: {
      onUnknownMembers: events.unknownMembers,
      // A password can be any text. Each token is checked by itself, so that an invalid one does not hide the others.
      anyTextMembers: ['password', 'currentPassword', 'tokens'],
    },
  };
}
