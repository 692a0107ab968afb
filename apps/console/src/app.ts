import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { createRecordId, type Operation, systemError } from '@tickrate/contract';
import {
  addEventStatusGauges,
  createErasures,
  createEventStatus,
  createFleet,
  createProducer,
  createQuarantine,
  createQueueMonitor,
  createUsage,
  readAccounts,
} from '@tickrate/pipeline';
import {
  type App,
  addDocumentRoutes,
  addHealthRoutes,
  addOperations,
  connectionLimits,
  contextOf,
  createAddressVoucher,
  createHealth,
  createHttpServer,
  createLogger,
  createMetrics,
  createOperatorServer,
  createRangeCheck,
  createSecretBoxOf,
  createTracing,
  type DestinationStream,
  type HttpServer,
  type OperationsOptions,
  type SecretBox,
  sleep,
} from '@tickrate/platform';
import { createPostgres } from '@tickrate/postgres';
import { createRegistry, createRegistryCache } from '@tickrate/registry';
import { createWarehouse } from '@tickrate/warehouse';
import type { Express } from 'express';
import { type ConsoleValues, consoleConfig } from './config.ts';
import { type ConsoleEvents, createConsoleEvents } from './console-events.ts';
import type { ConsoleParts } from './parts.ts';
import { createAuditActs } from './server/audit/audit-acts.ts';
import { addBiRoutes, passwordOf, refuseAsClickHouse } from './server/bi/bi-routes.ts';
import { createAdmitCaller, createCheckRates } from './server/calls/admit-caller.ts';
import type { Caller } from './server/calls/caller.ts';
import { createLiveHub } from './server/live/live-hub.ts';
import { createLiveMasks } from './server/live/live-masks.ts';
import { createManagementDocument } from './server/management-document.ts';
import { createManagementRoutes } from './server/management-routes.ts';
import { addPages } from './server/pages/add-pages.ts';
import { createPipelineSampler } from './server/pipeline/pipeline-routes.ts';
import { createAskAuth } from './server/session/ask-auth.ts';
import { createProjectPreparer } from './server/session/prepare-projects.ts';
import { createSessionCookie } from './server/session/session-cookie.ts';
import { createSessionRoutes } from './server/session/session-routes.ts';
import { createSharedRoutes } from './server/shares/shared-routes.ts';

/** Replaced by tests. */
export interface ConsoleOverrides {
  readonly now?: () => number;
  readonly logDestination?: DestinationStream;
}

export interface Console extends App {
  readonly server: HttpServer;
  /** Every call of the management API, in the order of its document. */
  readonly operations: readonly Operation[];
}

/** Creates the process of the management API. Connects to nothing until it is started. */
export function createConsole(values: ConsoleValues, overrides: ConsoleOverrides = {}): Console {
  const { logDestination: destination, now = Date.now } = overrides;
  const logger = createLogger({
    name: 'console',
    level: values.logLevel,
    ...(destination && { destination }),
  });
  const metrics = createMetrics({ processMetrics: true });
  const events = createConsoleEvents({ logger, metrics });
  const onFaultOf = (dependency: Parameters<ConsoleEvents['dependencyFault']>[0]) => (error: unknown) =>
    events.dependencyFault(dependency, error);
  const queue = {
    queueUrl: values.queueUrl,
    shards: values.queueShards,
    limitBytes: values.queueLimitBytes,
    onFault: onFaultOf('queue'),
  };
  const sealer = createSecretBoxOf(values.secretsKey);
  const newId = () => createRecordId(now(), randomBytes);
  const postgres = createPostgres({
    postgresUrl: values.postgresUrl,
    name: 'tickrate-console',
    metrics,
    maxConnections: 14,
    onFault: onFaultOf('postgres'),
  });
  const registry = createRegistry({ postgres, now, sealer });
  const warehouse = createWarehouse({
    clickhouseUrl: values.clickhouseUrl,
    queryUrl: values.queryUrl,
    queryLimits: { budgetSeconds: values.queryBudgetSeconds },
    cluster: values.clickhouseCluster,
    database: values.clickhouseDatabase,
    // The secret that seals now: the passwords of ClickHouse users are derived from it, too.
    querySecret: values.secretsKey.split(',')[0]?.trim() ?? '',
    onHindrance: (reason) =>
      onFaultOf('warehouse')(
        new Error(
          `queries are disabled: ClickHouse cannot restrict them to the rows of their project: ${reason}`,
        ),
      ),
  });
  const cache = createRegistryCache({ postgres, now, onFault: onFaultOf('registry') });
  const usage = createUsage({ postgres });
  const fleet = createFleet({ postgres });
  const producer = createProducer(queue);
  const monitor = createQueueMonitor(queue);
  // Also exported here, so that alarms about the queue and lost events do not end with the last worker.
  const status = createEventStatus({
    accounts: () => readAccounts({ usage, pending: () => monitor.pending() }),
    levels: () => monitor.levels(),
    warehouse: () => warehouse.status(),
    sleep,
    now,
    onFault: (source, fault) => events.dependencyFault(faultNames[source], fault),
  });
  addEventStatusGauges(metrics, () => status.latest);
  const hub = createLiveHub({ warehouse, masks: createLiveMasks(registry, now), now, newId, events });
  const preparer = createProjectPreparer({ warehouse, registry, now, onFault: onFaultOf('warehouse') });
  const voucher = createAddressVoucher(values.secretsKey, now);
  // The management API, and the calls of the console's own pages.
  const checkRates = createCheckRates({ perAddress: values.rateOfAddress, perKey: values.rateOfKey, now });
  const cookie = createSessionCookie({ sealer, now, boundToAddress: values.boundToAddress });
  const parts: ConsoleParts = {
    accounts: postgres,
    registry,
    warehouse,
    hub,
    preparer,
    cache,
    usage,
    fleet,
    quarantine: createQuarantine({ postgres }),
    erasures: createErasures({ postgres, newId }),
    producer,
    monitor,
    cookie,
    askAuth: createAskAuth(values.authUrl, voucher),
    checkRates,
    authorize: createAdmitCaller({ cache, registry, checkRates: () => undefined, keyOf: cookie.read }),
    openMail: values.outbox ? (body: Buffer) => openMail(sealer, body) : null,
    addresses: { gateway: values.publicGatewayUrl, auth: values.publicAuthUrl },
    development: values.development,
    now,
    newId,
    randomBytes,
    onFault: onFaultOf('warehouse'),
  };

  const health = createHealth({
    checks: { registry: () => (cache.healthy() ? null : 'changes of the registry cannot be followed') },
  });
  const table: OperationsOptions<Caller> = {
    routes: createManagementRoutes(parts),
    admit: createAdmitCaller({ ...parts, keyOf: cookie.read }),
    perform: createAuditActs({ ...parts, onFault: onFaultOf('postgres') }),
  };
  const session = createSessionRoutes(parts);
  const shared = createSharedRoutes(parts);
  const bi = { ...parts, admit: createAdmitCaller({ ...parts, keyOf: passwordOf }) };
  const operations = [...table.routes, ...shared.routes].map(({ operation }) => operation);
  const operator = createOperatorServer({ ...values, logger, metrics, health });
  const server = createHttpServer({
    traced: true,
    ...values,
    logger,
    metrics,
    limits: connectionLimits(values),
    versions: ['v1'],
    browserPaths: ['/v1/'],
    routes: (app) => {
      addHealthRoutes(app, { health });
      refuseAsClickHouse(app);
      refuseOtherAddresses(app, values.allowedAddresses);
      addOperations(app, table);
      addOperations(app, shared);
      addOperations(app, session);
      addBiRoutes(app, bi);
      addDocumentRoutes(app, () => createManagementDocument(operations));
      addPages(app, {
        folder: values.pagesFolder ?? builtPages,
        gatewayUrl: values.publicGatewayUrl,
        randomBytes,
      });
    },
  });
  logger.info({ config: consoleConfig.dump(values) }, 'configured');
  return {
    logger,
    metrics,
    health,
    server,
    operations,
    // In the order of their start. Live streams end first: the server waits for every answer.
    components: [
      createTracing({ ...values, name: 'console', logger, metrics }),
      operator,
      { name: 'warehouse', stop: () => warehouse.close() },
      { name: 'postgres', stop: () => postgres.close() },
      { name: 'registry', stop: () => registry.close() },
      { name: 'producer', start: () => producer.start(), stop: () => producer.stop() },
      { name: 'monitor', start: () => monitor.start(), stop: () => monitor.stop() },
      status,
      { name: 'cache', start: cache.start, stop: cache.stop },
      { name: 'preparer', start: preparer.start, stop: preparer.stop },
      createPipelineSampler(parts),
      server,
      hub,
    ],
  };
}

const faultNames = { ledger: 'postgres', queue: 'queue', clickhouse: 'warehouse' } as const;

/** Before every other route, so that no call, page or document is forgotten. */
function refuseOtherAddresses(app: Express, allowed: readonly string[]): void {
  if (allowed.length === 0) return;
  const isAllowed = createRangeCheck(allowed);
  app.use((request: IncomingMessage, _response: ServerResponse, next: () => void) => {
    const { clientAddress } = contextOf(request);
    if (isAllowed(clientAddress)) return next();
    const fields = `${clientAddress} is not in CONSOLE_ALLOWED_ADDRESSES; if it is your proxy, set TRUSTED_PROXIES`;
    throw systemError('notPermitted', {}, { fields });
  });
}

const builtPages = join(import.meta.dirname, '..', 'dist');

/** Returns null for a secret that was sealed with a lost key. It does not affect other secrets. */
function openMail(sealer: Pick<SecretBox, 'open'>, body: Buffer): string | null {
  try {
    return sealer.open(body, 'outbox');
  } catch {
    return null;
  }
}
