import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { Operation } from '@tickrate/contract';
import {
  type App,
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
  type HttpServer,
  type OperationsOptions,
} from '@tickrate/platform';
import { type ConsoleValues, consoleConfig } from './config.ts';
import { createConsoleEvents } from './console-events.ts';
import { type ConsoleParts, componentsOf, createConsoleParts } from './console-parts.ts';
import { createAuditActs } from './server/audit/audit-acts.ts';
import { createAdmitCaller, createAuthorizeCaller } from './server/calls/admit-caller.ts';
import type { Caller } from './server/calls/caller.ts';
import { createCheckRates } from './server/calls/check-rates.ts';
import { translateOutage } from './server/calls/translate-outage.ts';
import { createManagementDocument } from './server/management-document.ts';
import { createManagementRoutes } from './server/management-routes.ts';
import { addPages } from './server/pages/add-pages.ts';
import { readInstallation } from './server/pipeline/pipeline-routes.ts';
import { createPipelineSampler } from './server/pipeline/pipeline-sampler.ts';
import { createAskAuth } from './server/session/ask-auth.ts';
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
  const parts = createConsoleParts(values, createConsoleEvents({ logger, metrics }), now);
  const { cache } = parts;
  const health = createHealth({
    checks: { registry: () => (cache.healthy() ? null : 'changes of the registry cannot be followed') },
  });
  const { table, session, shared } = createTables(values, parts);
  const operations = [...table.routes, ...shared.routes].map(({ operation }) => operation);
  const operator = createOperatorServer({ ...values, logger, metrics, health });
  const server = createHttpServer({
    ...values,
    logger,
    metrics,
    limits: connectionLimits(values),
    versions: ['v1'],
    browserPaths: ['/v1/'],
    routes: (app) => {
      addOperations(app, table);
      addOperations(app, shared);
      addOperations(app, session);
      addHealthRoutes(app, { health });
      addDocumentRoutes(app, () => createManagementDocument(operations));
      addPages(app, { folder: values.pagesFolder ?? builtPages, randomBytes });
    },
  });
  logger.info({ config: consoleConfig.dump(values) }, 'configured');
  return {
    logger,
    metrics,
    health,
    server,
    operations,
    // Live streams end first: the server waits for every answer.
    components: [operator, ...componentsOf(parts), samplerOf(parts), server, parts.hub],
  };
}

function samplerOf(parts: ConsoleParts): Component {
  return createPipelineSampler({ ...parts, read: () => readInstallation(parts) });
}

/** Where the pages are built. */
const builtPages = join(import.meta.dirname, '..', 'dist');

/** The management API, and the calls of the console's own pages. */
function createTables(values: ConsoleValues, parts: ConsoleParts) {
  const { rateOfAddress: perAddress, rateOfKey: perKey, secretsKey, boundToAddress } = values;
  const { now, sealer } = parts;
  const checkRates = createCheckRates({ perAddress, perKey, now });
  const cookie = createSessionCookie({ sealer, now, boundToAddress });
  const audited = createAuditActs(parts);
  const askAuth = createAskAuth(values.authUrl, createAddressVoucher(secretsKey, now));
  const table: OperationsOptions<Caller> = {
    routes: createManagementRoutes({ ...parts, authorize: createAuthorizeCaller({ ...parts, cookie }) }),
    admit: createAdmitCaller({ ...parts, checkRates, cookie }),
    perform: (call, work) => translateOutage(() => audited(call, work)),
  };
  const session = createSessionRoutes({
    ...parts,
    cookie,
    checkRates,
    askAuth,
    randomBytes,
    gatewayUrl: values.gatewayUrl,
  });
  const shared = createSharedRoutes({ ...parts, checkRates });
  return { table, session, shared };
}
