import { randomBytes, randomFillSync } from 'node:crypto';
import { hostname } from 'node:os';
import { describeInstallation } from '@tickrate/contract';
import { createEventIds } from '@tickrate/events';
import {
  createLedger,
  createProducer,
  createSentPositions,
  type Ledger,
  type Producer,
  type SentPositions,
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
  discoveryPaths,
  type HotRoute,
  type HttpServer,
  type Metrics,
} from '@tickrate/platform';
import { createPostgres } from '@tickrate/postgres';
import { createRegistryCache } from '@tickrate/registry';
import { createAuthenticate } from './calls/authenticate.ts';
import { createEventDocument } from './calls/event-document.ts';
import { batchInsertEvents, insertEvent, multiInsertEvents } from './calls/event-operations.ts';
import { createFindEventType } from './calls/find-event-type.ts';
import { createBeginCall, createFrames, createMayGoOn } from './calls/insert-call.ts';
import { createInsertCalls, type InsertCalls } from './calls/insert-calls.ts';
import { createInsertLines } from './calls/insert-lines.ts';
import type { GatewayConfig } from './config.ts';
import { createGatewayEvents, type GatewayEvents } from './gateway-events.ts';
import { createCheckQuota } from './limits/check-quota.ts';
import { createDiskSpace, type DiskSpace } from './limits/disk-space.ts';
import { createInFlightBudget } from './limits/in-flight.ts';
import { createOverloadCheck } from './limits/overload-check.ts';
import { createQuotaBook } from './limits/quota-book.ts';
import { createSharedLimits } from './limits/shared-limits.ts';
import { createStreamBudget } from './limits/stream-budget.ts';
import { createUnavailable } from './limits/unavailable.ts';
import { volumeSources } from './limits/volume-sources.ts';
import { createReceiveBody } from './reading/receive-body.ts';
import { createRowBuffers } from './reading/row-buffers.ts';
import { createRejectUnfound } from './rejecting/reject-unfound.ts';
import { createRejectionLog, type RejectionLog } from './rejecting/rejection-log.ts';
import { createSampler } from './rejecting/sampler.ts';
import { createAcceptedCounts } from './storing/accepted-counts.ts';
import { createAcceptedReporter } from './storing/accepted-reporter.ts';
import { createLaneChooser, type LaneChooser } from './storing/choose-lane.ts';
import { type Coalescer, createCoalescer } from './storing/coalescer.ts';
import { createKeyCheck } from './storing/key-check.ts';
import { createStoreMulti } from './storing/store-multi.ts';
import { createStoreRows } from './storing/store-rows.ts';

export interface Gateway extends App {
  readonly server: HttpServer;
  /** Metrics and health. */
  readonly operator: HttpServer;
}

/** The gateway: events in at the HTTP edge, chunks out to the queue. Connects to nothing until it is started. */
export function createGateway(config: GatewayConfig): Gateway {
  const logger = createLogger({ level: config.logLevel, name: 'gateway' });
  const metrics = createMetrics({ processMetrics: true });
  const parts = createParts(config, createGatewayEvents({ logger, metrics }));
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
  const calls = createCalls(config, parts);
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

type Parts = ReturnType<typeof createParts>;

function createParts(config: GatewayConfig, events: GatewayEvents) {
  const postgres = createPostgres({
    postgresUrl: config.postgresUrl,
    name: 'tickrate-gateway',
    maxConnections: 6,
    onFault: (error) => events.dependencyFault('postgres', error),
  });
  const producerName = `${hostname()
    .replaceAll(/[^A-Za-z0-9.-]/g, '-')
    .slice(0, 64)}-${randomBytes(6).toString('hex')}`;
  const onLedgerFault = (error: unknown) => events.dependencyFault('ledger', error);
  const registry = createRegistryCache({
    postgres,
    now: Date.now,
    onFault: (error) => events.dependencyFault('registry', error),
  });
  const producer = createProducer({
    queueUrl: config.queueUrl,
    shards: config.queueShards,
    limitBytes: config.queueLimitBytes,
    limitAgeMs: config.queueLimitAgeMs,
    onFault: (error) => events.dependencyFault('queue', error),
  });
  const ledger = createLedger({ postgres });
  const positions = createSentPositions();
  const now = () => performance.now();
  const counts = createAcceptedCounts();
  const reporting = createLock();
  const quotaBook = createQuotaBook({ ledger, counts, reporting, now, onFault: onLedgerFault });
  const reporter = createAcceptedReporter({
    ledger,
    producer: producerName,
    counts,
    reporting,
    positions,
    onFault: onLedgerFault,
    afterReport: () => quotaBook.refresh(),
  });
  const laneChooser = createLaneChooser({ expressBytes: config.expressBytes, now });
  const coalescer = createCoalescing({ producerName, positions, producer, laneChooser, events });
  return {
    events,
    postgres,
    registry,
    producer,
    diskSpace: createStoreSpace(config, { ledger, producer, events }),
    ledger,
    counts,
    reporter,
    quotaBook,
    rates: createSharedLimits(config, { postgres, sender: producerName, events }),
    coalescer,
    laneChooser,
    inFlight: createInFlightBudget(config.inFlightBytes, now),
    rejections: createRejections(config, { ledger, producer: producerName, events }),
  };
}

function createStoreSpace(
  config: GatewayConfig,
  { ledger, producer, events }: { ledger: Ledger; producer: Producer; events: GatewayEvents },
): DiskSpace {
  return createDiskSpace({
    sources: volumeSources({
      folders: config.storeVolumes,
      ledger,
      databaseLimitBytes: config.postgresDiskLimitBytes,
    }),
    reserveBytes: config.diskReserveBytes,
    queuedBytes: () => producer.levels().reduce((sum, { usedBytes }) => sum + usedBytes, 0),
    onFull: events.storesFull,
    onSpace: events.storesHaveSpace,
    onFault: events.volumeUnread,
  });
}

function createCoalescing(parts: {
  readonly producerName: string;
  readonly positions: SentPositions;
  readonly producer: Producer;
  readonly laneChooser: LaneChooser;
  readonly events: GatewayEvents;
}): Coalescer {
  const { producerName, positions, producer, laneChooser, events } = parts;
  return createCoalescer({
    producer: producerName,
    positions,
    laneOf: laneChooser.of,
    send(chunks, lane) {
      for (const { projectId, frame } of chunks) laneChooser.choose(projectId, frame.length);
      return producer.addTogether(chunks, lane);
    },
    onSent: events.chunkSent,
    now: Date.now,
    fillRandom: randomFillSync,
  });
}

function createCalls(config: GatewayConfig, parts: Parts): InsertCalls {
  const { events, registry, producer, counts, quotaBook, coalescer, inFlight, laneChooser } = parts;
  const unavailable = createUnavailable(Math.random);
  const now = () => performance.now();
  const begin = {
    overload: createOverloadCheck({ now, afterRound: (call) => void setImmediate(call) }),
    unavailable,
    authenticate: createAuthenticate(registry, unavailable),
    policies: registry.policies,
    checkRates: parts.rates.check,
    checkQuota: createCheckQuota(quotaBook),
  };
  const findEventType = createFindEventType(registry, unavailable);
  const accepting = (projectId: string) =>
    parts.diskSpace.hasSpace() && producer.accepting(laneChooser.of(projectId));
  const receiveBody = createReceiveBody({ inFlight, accepting, unavailable });
  const recordRejected = parts.rejections.record;
  const openRows = createRowBuffers(randomFillSync);
  const onFault = (error: unknown) => events.dependencyFault('ledger', error);
  const storeRows = createStoreRows({
    coalescer,
    keyCheck: createKeyCheck({ ledger: parts.ledger, onFault, now }),
    onAccepted: counts.add,
    unavailable,
  });
  const { storeClientAddress: storesAddress } = config;
  const storeMulti = createStoreMulti({ findEventType, openRows, recordRejected, storeRows, storesAddress });
  const streams = createStreamBudget({ inFlight, accepting, unavailable, mostStreams: config.streams, now });
  return createInsertCalls({
    beginCall: createBeginCall(begin),
    findEventType,
    receiveBody,
    frameOf: createFrames(storesAddress),
    rejectUnfound: createRejectUnfound({ receiveBody, recordRejected }),
    recordRejected,
    openRows,
    storeRows,
    storeMulti,
    insertLines: createInsertLines({
      streams,
      storeMulti,
      mayGoOn: createMayGoOn(begin),
      now: Date.now,
      limitBytes: config.streamBytes,
      idleMs: config.streamIdleMs,
    }),
    events,
  });
}

function createRejections(
  { quarantineRate, quarantineBurst, storeClientAddress }: GatewayConfig,
  { ledger, producer, events }: { ledger: Ledger; producer: string; events: GatewayEvents },
): RejectionLog {
  const ids = createEventIds(randomFillSync);
  return createRejectionLog({
    ledger,
    producer,
    sampler: createSampler({ perSecond: quarantineRate, burst: quarantineBurst }, () => performance.now()),
    storesAddress: storeClientAddress,
    writeId: (out, ms) => ids.write(out, 0, ms),
    onRejected: events.eventRejected,
    onSamples: events.rejectionsSampled,
    onFault: (error) => events.dependencyFault('ledger', error),
  });
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
