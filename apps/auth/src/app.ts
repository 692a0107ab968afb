import {
  type App,
  addHealthRoutes,
  createHealth,
  createHttpServer,
  createLogger,
  createMetrics,
  type HttpServer,
} from '@tickrate/platform';
import { createRegistryCache } from '@tickrate/registry';
import { type AuthValues, authConfig } from './config.ts';

/**
 * The session API's process. The exchange itself is not built yet, so its address is an unknown one: an answer that
 * looked like a sign-in would mislead the clients that act on it.
 */
export function createAuth(values: AuthValues): App & { readonly server: HttpServer } {
  const logger = createLogger({ name: 'auth', level: values.logLevel });
  const metrics = createMetrics({ processMetrics: true });
  const registry = createRegistryCache({
    postgresUrl: values.postgresUrl,
    now: Date.now,
    onFault: (err) => logger.warn({ err }, 'the registry did not answer'),
  });
  const health = createHealth({
    checks: { registry: () => (registry.healthy() ? null : 'changes of the registry cannot be followed') },
  });
  const server = createHttpServer({
    ...values,
    logger,
    metrics,
    versions: ['2018-03-24'],
    routes: (app) => addHealthRoutes(app, { health, metrics }),
  });
  logger.info({ config: authConfig.dump(values) }, 'configured');
  return {
    logger,
    metrics,
    health,
    server,
    components: [{ name: 'registry', start: registry.start, stop: registry.stop }, server],
  };
}
