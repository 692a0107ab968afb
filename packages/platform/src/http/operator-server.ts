import type { Health } from '../telemetry/health.ts';
import { createMetrics } from '../telemetry/metrics.ts';
import type { Telemetry } from '../telemetry/telemetry.ts';
import { addOperatorRoutes } from './health.ts';
import { createHttpServer, type HttpServer } from './server.ts';

/** The address of metrics and health, separate from the public one. Part of the app's declaration. */
export const operatorVariables = {
  metricsHost: {
    name: 'METRICS_HOST',
    type: 'string',
    default: '127.0.0.1',
    help: 'Address to serve metrics and health on; never a public one',
  },
  metricsPort: {
    name: 'METRICS_PORT',
    type: 'int',
    default: null,
    min: 0,
    max: 65_535,
    help: 'Port for metrics and health; default PORT + 1000; 0 picks a free one',
  },
} as const;

export interface OperatorServerOptions extends Telemetry {
  readonly health: Health;
  /** The port that the public has. */
  readonly port: number;
  readonly metricsHost: string;
  readonly metricsPort: number | null;
}

const maxConnections = 200;

/** `/metrics` and `/health` of a process on a separate port. Start it before, and stop it after, everything that it reports. */
export function createOperatorServer(options: OperatorServerOptions): HttpServer {
  const { health, metrics, logger, port, metricsHost: host, metricsPort } = options;
  return createHttpServer({
    name: 'operator',
    logger,
    host,
    port: metricsPort ?? besides(port),
    // Requests to this port do not count as requests of clients.
    metrics: createMetrics(),
    limits: { maxConnections, maxConnectionsOfAddress: 0, listeners: 1 },
    routes: (app) => addOperatorRoutes(app, { health, metrics }),
  });
}

function besides(port: number): number {
  if (port === 0) return 0;
  return port + 1_000 <= 65_535 ? port + 1_000 : port - 1_000;
}
