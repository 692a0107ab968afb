import { randomBytes, randomFillSync } from 'node:crypto';
import { hostname } from 'node:os';
import { createEventIds } from '@tickrate/events';
import {
  createLedger,
  createProducer,
  createSentPositions,
  type Ledger,
  type Producer,
  type SentPositions,
} from '@tickrate/pipeline';
import { createLock } from '@tickrate/platform';
import { createPostgres } from '@tickrate/postgres';
import { createRegistryCache } from '@tickrate/registry';
import type { GatewayConfig } from './config.ts';
import type { GatewayEvents } from './gateway-events.ts';
import { createDiskSpace, type DiskSpace } from './limits/disk-space.ts';
import { createInFlightBudget } from './limits/in-flight.ts';
import { createQuotaBook } from './limits/quota-book.ts';
import { createSharedLimits } from './limits/shared-limits.ts';
import { volumeSources } from './limits/volume-sources.ts';
import { createRejectionLog, type RejectionLog } from './rejecting/rejection-log.ts';
import { createSampler } from './rejecting/sampler.ts';
import { createAcceptedCounts } from './storing/accepted-counts.ts';
import { createAcceptedReporter } from './storing/accepted-reporter.ts';
import { createLaneChooser, type LaneChooser } from './storing/choose-lane.ts';
import { type Coalescer, createCoalescer } from './storing/coalescer.ts';

export type GatewayParts = ReturnType<typeof createGatewayParts>;

/** What the gateway is made of: its connections, budgets and buffers. Connects to nothing until it is started. */
export function createGatewayParts(config: GatewayConfig, events: GatewayEvents) {
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
