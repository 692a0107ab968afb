import type { Operation } from '@tickrate/contract';
import {
  type App,
  addDocumentRoutes,
  addHealthRoutes,
  addOperations,
  createHealth,
  createHttpServer,
  createLogger,
  createMetrics,
  type DestinationStream,
  type HttpServer,
} from '@tickrate/platform';
import { createRegistry, createRegistryCache } from '@tickrate/registry';
import { createWarehouse } from '@tickrate/warehouse';
import { type ConsoleValues, consoleConfig } from './config.ts';
import { type ConsoleEvents, createConsoleEvents } from './console-events.ts';
import { createAdmitCaller } from './server/admit-caller.ts';
import { createCheckRates } from './server/check-rates.ts';
import { createManagementDocument } from './server/management-document.ts';
import { createManagementRoutes } from './server/management-routes.ts';
import { translateOutage } from './server/translate-outage.ts';

/** What tests replace. */
export interface ConsoleOverrides {
  readonly now?: () => number;
  readonly logDestination?: DestinationStream;
}

export interface Console extends App {
  readonly server: HttpServer;
  /** Every call of the management API, in the order of its document. */
  readonly operations: readonly Operation[];
}

/** The process of the management API. Connects to nothing until it is started. */
export function createConsole(values: ConsoleValues, overrides: ConsoleOverrides = {}): Console {
  const { logDestination: destination, now = Date.now } = overrides;
  const logger = createLogger({
    name: 'console',
    level: values.logLevel,
    ...(destination && { destination }),
  });
  const metrics = createMetrics({ processMetrics: true });
  const parts = createParts(values, createConsoleEvents({ logger, metrics }), now);
  const { cache, registry, warehouse } = parts;
  const health = createHealth({
    checks: { registry: () => (cache.healthy() ? null : 'changes of the registry cannot be followed') },
  });
  const routes = createManagementRoutes(parts);
  const operations = routes.map(({ operation }) => operation);
  const server = createHttpServer({
    ...values,
    logger,
    metrics,
    versions: ['v1'],
    routes: (app) => {
      addOperations(app, { routes, admit: parts.admit, perform: (_call, work) => translateOutage(work) });
      addHealthRoutes(app, { health, metrics });
      addDocumentRoutes(app, () => createManagementDocument(operations));
    },
  });
  logger.info({ config: consoleConfig.dump(values) }, 'configured');
  return {
    logger,
    metrics,
    health,
    server,
    operations,
    components: [
      { name: 'warehouse', stop: () => warehouse.close() },
      { name: 'registry', stop: () => registry.close() },
      { name: 'cache', start: cache.start, stop: cache.stop },
      server,
    ],
  };
}

function createParts(values: ConsoleValues, events: ConsoleEvents, now: () => number) {
  const { postgresUrl, rateOfAddress: perAddress, rateOfKey: perKey } = values;
  const onFault = (error: unknown) => events.dependencyFault('registry', error);
  const registry = createRegistry({ postgresUrl, now, onFault });
  const cache = createRegistryCache({ postgresUrl, now, onFault });
  const checkRates = createCheckRates({ perAddress, perKey, now });
  const warehouse = createWarehouse({
    clickhouseUrl: values.clickhouseUrl,
    cluster: values.clickhouseCluster,
    database: values.clickhouseDatabase,
  });
  return { registry, cache, warehouse, admit: createAdmitCaller({ cache, registry, checkRates }) };
}
