import {
  type App,
  addHealthRoutes,
  createHealth,
  createHttpServer,
  createLogger,
  createMetrics,
  type HttpServer,
} from '@tickrate/platform';
import { type ConsoleValues, consoleConfig } from './config.ts';

/** The process of the management API and the web console, neither of which is built yet: it tells of itself only. */
export function createConsole(values: ConsoleValues): App & { readonly server: HttpServer } {
  const logger = createLogger({ name: 'console', level: values.logLevel });
  const metrics = createMetrics({ processMetrics: true });
  const health = createHealth({ checks: {} });
  const server = createHttpServer({
    ...values,
    logger,
    metrics,
    versions: ['v1'],
    routes: (app) => addHealthRoutes(app, { health, metrics }),
  });
  logger.info({ config: consoleConfig.dump(values) }, 'configured');
  return { logger, metrics, health, server, components: [server] };
}
