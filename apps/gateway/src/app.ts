import { randomBytes, randomFillSync } from 'node:crypto';
import { hostname } from 'node:os';
import { describeInstallation } from '@tickrate/contract';
import { createEventIds } from '@tickrate/events';
import {
  createFleet,
  createLedger,
  createProducer,
  createQuarantine,
  createSentPositions,
  createUsage,
} from '@tickrate/pipeline';
import {
  type App,
  addDiscoveryRoute,
  addDocumentRoutes,
  addHealthRoutes,
  type Component,
  connectionLimits,
  createHealth,
  createHttpServer,
  createLock,
  createLogger,
  createMetrics,
  createOperatorServer,
  createTracing,
  discoveryPaths,
  type HotRoute,
  type HttpServer,
} from '@tickrate/platform';
import { createPostgres } from '@tickrate/postgres';
import { createRegistryCache } from '@tickrate/registry';
import { createEventDocument, eventCalls } from './calls/event-operations.ts';
import { EventTypes } from './calls/event-types.ts';
import { batchInsert, insert, multiInsert } from './calls/insert-calls.ts';
import { createExplainUndeclared } from './calls/undeclared.ts';
import type { GatewayConfig } from './config.ts';
import { createGatewayEvents } from './gateway-events.ts';
import { createBodyBudget } from './limits/body-budget.ts';
import { createDiskSpace, volumeSources } from './limits/disk-space.ts';
import { createInFlightBudget } from './limits/in-flight.ts';
import { createOverloadCheck } from './limits/overload-check.ts';
import { createQuotaBook } from './limits/quota-book.ts';
import { createRates } from './limits/rates.ts';
import { shareRates } from './limits/shared-rates.ts';
import type { GatewayParts } from './parts.ts';
import { createRowBuffers } from './reading/row-buffers.ts';
import { createRejectionLog } from './rejecting/rejection-log.ts';
import { createAcceptedCounts } from './storing/accepted-counts.ts';
import { createAcceptedReporter } from './storing/accepted-reporter.ts';
import { createLaneChooser } from './storing/choose-lane.ts';
import { createCoalescer } from './storing/coalescer.ts';
import { createKeyCheck } from './storing/key-check.ts';

export interface Gateway extends App {
  readonly server: HttpServer;
  /** Metrics and health. */
  readonly operator: HttpServer;
}

/** The gateway: events in at the HTTP edge, chunks out to the queue. Connects to nothing until it is started. */
export function createGateway(config: GatewayConfig): Gateway {
  const now = () => performance.now();
  const name = producerName();
  const logger = createLogger({ level: config.logLevel, name: 'gateway' });
  const metrics = createMetrics({ processMetrics: true });
  const events = createGatewayEvents({ logger, metrics });
  const faultOf = (dependency: 'postgres' | 'registry' | 'queue' | 'ledger') => (error: unknown) =>
    events.dependencyFault(dependency, error);

  // PostgreSQL: keys and event types, and the delivery ledger.
  const postgres = createPostgres({
    postgresUrl: config.postgresUrl,
    name: 'tickrate-gateway',
    metrics,
    maxConnections: 6,
    onFault: faultOf('postgres'),
  });
  const registry = createRegistryCache({ postgres, now: Date.now, onFault: faultOf('registry') });
  const ledger = createLedger({ postgres });
  const usage = createUsage({ postgres });

  // The queue.
  const producer = createProducer({
    queueUrl: config.queueUrl,
    shards: config.queueShards,
    limitBytes: config.queueLimitBytes,
    limitAgeMs: config.queueLimitAgeMs,
    onFault: faultOf('queue'),
  });
  const positions = createSentPositions();
  const lanes = createLaneChooser({ expressBytes: config.expressBytes, now });
  const coalescer = createCoalescer({
    producer: name,
    positions,
    laneOf: lanes.of,
    send(chunks, lane) {
      for (const { projectId, frame } of chunks) lanes.choose(projectId, frame.length);
      return producer.addTogether(chunks, lane);
    },
    onSent: events.chunkSent,
    now: Date.now,
    fillRandom: randomFillSync,
  });

  // Limits.
  const diskSpace = createDiskSpace({
    sources: volumeSources(createFleet({ postgres }), config.storeVolumes, config.postgresDiskLimitBytes),
    reserveBytes: config.diskReserveBytes,
    queuedBytes: () => producer.levels().reduce((sum, { usedBytes }) => sum + usedBytes, 0),
    onFull: events.storesFull,
    onSpace: events.storesHaveSpace,
    onFault: events.volumeUnread,
  });
  const rates = createRates({
    perAddress: config.rateOfAddress,
    perKey: config.rateOfKey,
    perProject: config.rateOfProject,
    now: Date.now,
  });
  const sharedRates = shareRates({
    postgres,
    limiter: rates.limiter,
    sender: name,
    onFault: faultOf('registry'),
  });
  const inFlight = createInFlightBudget(config.inFlightBytes, now);

  // What the ledger knows of accepted and rejected events.
  const accepted = createAcceptedCounts();
  const reporting = createLock();
  const quotas = createQuotaBook({ usage, counts: accepted, reporting, now, onFault: faultOf('ledger') });
  const reporter = createAcceptedReporter({
    usage,
    producer: name,
    counts: accepted,
    reporting,
    positions,
    onFault: faultOf('ledger'),
    afterReport: () => quotas.refresh(),
  });
  const ids = createEventIds(randomFillSync);
  const rejections = createRejectionLog({
    quarantine: createQuarantine({ postgres }),
    producer: name,
    samples: { perSecond: config.quarantineRate, burst: config.quarantineBurst },
    now,
    storedAddress: config.storeClientAddress,
    writeId: (out, ms) => ids.write(out, 0, ms),
    onRejected: events.eventRejected,
    onSamples: events.rejectionsSampled,
    onFault: faultOf('ledger'),
  });

  const parts: GatewayParts = {
    config,
    events,
    overload: createOverloadCheck({ now, afterRound: (call) => void setImmediate(call) }),
    registry,
    rates,
    quotas,
    eventTypes: new EventTypes(registry, Math.random),
    explainUndeclared: createExplainUndeclared(registry, now),
    bodies: createBodyBudget({
      inFlight,
      accepting: (projectId) => diskSpace.hasSpace() && producer.accepting(lanes.of(projectId)),
      mostStreams: config.streams,
      now,
      random: Math.random,
    }),
    rowBuffers: createRowBuffers(randomFillSync),
    rejections,
    keyCheck: createKeyCheck({ ledger, onFault: faultOf('ledger'), now }),
    coalescer,
    accepted,
    now: Date.now,
    random: Math.random,
  };

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
  // Without the registry: cached data is served while it is away, and a load balancer must not remove the gateway.
  const health = createHealth({
    checks: {
      queue() {
        if (producer.accepting()) return null;
        const sizes = producer
          .levels()
          .map(({ usedBytes, limitBytes }) => `${usedBytes} of ${limitBytes} bytes`);
        return ['the queue is away, full or too old', ...sizes].join(', ');
      },
      disk: () => (diskSpace.hasSpace() ? null : 'a volume of the stores is full up to DISK_RESERVE'),
    },
  });
  const operator = createOperatorServer({ ...config, logger, metrics, health });
  const server = createHttpServer({
    traced: true,
    logger,
    metrics,
    host: config.host,
    port: config.port,
    sharePort: config.sharePort,
    trustedProxies: config.trustedProxies,
    browserPaths: ['/v1/event/', discoveryPaths],
    versions: ['v1'],
    development: config.development,
    // Applies to streams. Other bodies have a time limit of their own.
    limits: { ...connectionLimits(config), requestTimeoutMs: config.streamTimeoutMs },
    hotRoutes: insertRoutes(parts),
    routes: (app) => {
      addHealthRoutes(app, { health });
      addDocumentRoutes(app, createEventDocument);
      addDiscoveryRoute(app, describeInstallation(config));
    },
  });
  // Stops in reverse order: first no requests, then nothing buffered, then no connections.
  const components: Component[] = [
    createTracing({ ...config, name: 'gateway', logger, metrics }),
    operator,
    { name: 'postgres', stop: () => postgres.close() },
    reporter,
    rejections,
    { name: 'disk-space', start: () => diskSpace.start(), stop: () => diskSpace.stop() },
    { name: 'producer', start: () => producer.start(), stop: () => producer.stop() },
    { name: 'registry', start: () => registry.start(), stop: () => registry.stop() },
    sharedRates,
    { name: 'coalescer', drain: () => coalescer.drain() },
    server,
  ];
  return { logger, metrics, components, health, server, operator };
}

/** Unique among all gateways that ever ran. */
function producerName(): string {
  const host = hostname().replaceAll(/[^A-Za-z0-9.-]/g, '-');
  return `${host.slice(0, 64)}-${randomBytes(6).toString('hex')}`;
}

function insertRoutes(parts: GatewayParts): HotRoute[] {
  const methods = ['PUT', 'POST'] as const;
  return [
    {
      path: eventCalls.insertEvent.path,
      methods,
      handler: (request, response) => insert(parts, request, response),
    },
    {
      path: eventCalls.batchInsertEvents.path,
      methods,
      handler: (request, response) => batchInsert(parts, request, response),
    },
    {
      path: eventCalls.multiInsertEvents.path,
      methods,
      handler: (request, response) => multiInsert(parts, request, response),
    },
  ];
}
