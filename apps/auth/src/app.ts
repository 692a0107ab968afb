import { migrateAuth } from '@tickrate/accounts';
import { describeInstallation, type Operation, sessionVersions } from '@tickrate/contract';
import {
  type App,
  addDiscoveryRoute,
  addDocumentRoutes,
  addHealthRoutes,
  addOperations,
  type Component,
  connectionLimits,
  createAddressVoucher,
  createHealth,
  createHttpServer,
  createLogger,
  createMetrics,
  createOperatorServer,
  type DestinationStream,
  discoveryPaths,
  type HttpServer,
} from '@tickrate/platform';
import { createAuthEvents } from './auth-events.ts';
import { type AuthValues, authConfig } from './config.ts';
import { type AuthParts, createAuthParts } from './create-auth-parts.ts';
import { createSessionDocument } from './document/session-document.ts';
import { createInstallationOwner } from './installation-owner.ts';
import { createAuthTable } from './routes/auth-table.ts';

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
  const parts = createAuthParts(values, events, overrides.now ?? Date.now);
  const { accounts, cache, registry, mails, invitations, securityMails } = parts;
  const health = createHealth({
    checks: { registry: () => (cache.healthy() ? null : 'changes of the registry cannot be followed') },
  });
  const table = createAuthTable(values, parts);
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
    logger.warn('SMTP_URL is not set: mails stay in the outbox and are not sent');
  }
  return {
    logger,
    metrics,
    health,
    server,
    operations,
    components: [
      operator,
      { name: 'store', start: () => migrateAuth(values.postgresUrl), stop: () => parts.db.close() },
      ...(values.smtpUrl === null ? [] : [{ name: 'outbox', start: accounts.mails.emptyOutbox }]),
      { name: 'registry', stop: () => registry.close() },
      { name: 'events', stop: () => parts.eventStores.close() },
      { name: 'cache', start: cache.start, stop: cache.stop },
      { name: 'secrets', start: async () => events.resealed(await registry.resealProviders()) },
      { name: 'hasher', stop: () => parts.hasher.close() },
      { name: 'owner', start: createInstallationOwner(values, parts) },
      { name: 'providers', stop: async () => parts.verifier.close() },
      { name: 'mailer', stop: async () => parts.mailer.close() },
      createPurge(parts),
      { name: 'mails', drain: mails.drain, stop: mails.drain },
      { name: 'invitations', start: invitations.start, stop: invitations.stop },
      { name: 'security mails', start: securityMails.start, stop: securityMails.stop },
      server,
    ],
  };
}

const purgeEveryMs = 10 * 60_000;

function createPurge({ accounts, events }: AuthParts): Component {
  let timer: NodeJS.Timeout | undefined;
  let running = Promise.resolve();
  return {
    name: 'purge',
    async start() {
      timer = setInterval(() => {
        running = accounts.purge().catch((error) => events.dependencyFault('purge', error));
      }, purgeEveryMs);
    },
    stop() {
      clearInterval(timer);
      return running;
    },
  };
}
