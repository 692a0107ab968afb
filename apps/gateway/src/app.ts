import { describeInstallation } from '@tickrate/contract';
import type { Producer } from '@tickrate/pipeline';
import {
  type App,
  addDiscoveryRoute,
  addDocumentRoutes,
  addHealthRoutes,
  type Component,
  connectionLimits,
  createHealth,
  createHttpServer,
  createLogger,
  createMetrics,
  createOperatorServer,
  discoveryPaths,
  type HotRoute,
  type HttpServer,
  type Metrics,
} from '@tickrate/platform';
import { createEventDocument } from './calls/event-document.ts';
import { batchInsertEvents, insertEvent, multiInsertEvents } from './calls/event-operations.ts';
import type { InsertCalls } from './calls/insert-calls.ts';
import type { GatewayConfig } from './config.ts';
import { createGatewayCalls } from './gateway-calls.ts';
import { createGatewayEvents } from './gateway-events.ts';
import { createGatewayParts } from './gateway-parts.ts';
import type { DiskSpace } from './limits/disk-space.ts';

export interface Gateway extends App {
  readonly server: HttpServer;
  /** Metrics and health. */
  readonly operator: HttpServer;
}

/** The gateway: events in at the HTTP edge, chunks out to the queue. Connects to nothing until it is started. */
export function createGateway(config: GatewayConfig): Gateway {
  const logger = createLogger({ level: config.logLevel, name: 'gateway' });
  const metrics = createMetrics({ processMetrics: true });
  const parts = createGatewayParts(config, createGatewayEvents({ logger, metrics }));
  const { registry, reporter, producer, coalescer, inFlight, rates } = parts;
  metrics.gauge({
    name: 'tickrate_gateway_in_flight_bytes',
    help: 'Bytes of bodies that wait for the queue',
    read: inFlight.bytes,
  });
  metrics.gauge({
    name: 'tickrate_gateway_registry_followed',
    help: '1 while changes of the registry arrive; 0 while only cached data is used',
    read: () => Number(registry.healthy()),
  });
  addDiskGauges(metrics, parts.diskSpace);
  const health = createHealth({ checks: checksOf(producer, parts.diskSpace) });
  const calls = createGatewayCalls(config, parts);
  const operator = createOperatorServer({ ...config, logger, metrics, health });
  const server = createHttpServer({
    logger,
    metrics,
    host: config.host,
    port: config.port,
    trustedProxies: config.trustedProxies,
    browserPaths: ['/v1/event/', discoveryPaths],
    versions: ['v1'],
    development: config.development,
    // Applies to streams. Other bodies have a time limit of their own.
    limits: { ...connectionLimits(config), requestTimeoutMs: config.streamTimeoutMs },
    hotRoutes: hotRoutes(calls),
    routes: (app) => {
      addHealthRoutes(app, { health });
      addDocumentRoutes(app, createEventDocument);
      addDiscoveryRoute(app, describeInstallation(config));
    },
  });
  // Stops in reverse order: first no requests, then nothing buffered, then no connections.
  const components: Component[] = [
    operator,
    { name: 'postgres', stop: () => parts.postgres.close() },
    reporter,
    parts.rejections,
    { name: 'disk-space', start: () => parts.diskSpace.start(), stop: () => parts.diskSpace.stop() },
    { name: 'producer', start: () => producer.start(), stop: () => producer.stop() },
    { name: 'registry', start: () => registry.start(), stop: () => registry.stop() },
    rates.sharing,
    { name: 'coalescer', drain: () => coalescer.drain() },
    server,
  ];
  return { logger, metrics, components, health, server, operator };
}

function addDiskGauges(metrics: Metrics, diskSpace: DiskSpace): void {
  metrics.gauge({
    name: 'tickrate_gateway_store_free_bytes',
    help: 'Free bytes on the fullest volume of the stores that this gateway knows',
    read: () => diskSpace.freeBytes() ?? Number.NaN,
  });
  metrics.gauge({
    name: 'tickrate_gateway_store_room',
    help: '0 while new events are refused because a volume of the stores is full up to DISK_RESERVE; alert on 0',
    read: () => Number(diskSpace.hasSpace()),
  });
}

function hotRoutes(calls: InsertCalls): HotRoute[] {
  const methods = ['PUT', 'POST'] as const;
  return [
    { path: insertEvent.path, methods, handler: calls.insert },
    { path: batchInsertEvents.path, methods, handler: calls.batchInsert },
    { path: multiInsertEvents.path, methods, handler: calls.multiInsert },
  ];
}

/** Without the registry: cached data is served while it is away, and a load balancer must not remove the gateway. */
function checksOf(producer: Producer, diskSpace: DiskSpace) {
  return {
    queue: () => (producer.accepting() ? null : 'the queue is away or full'),
    disk: () => (diskSpace.hasSpace() ? null : 'a volume of the stores is full up to DISK_RESERVE'),
  };
}
