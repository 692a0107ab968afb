import { type Chunk, createConsumer, type Lane, type Ledger, type MalformedJob } from '@tickrate/pipeline';
import { inBatchSpan, sleep } from '@tickrate/platform';
import { PostgresUnavailable } from '@tickrate/postgres';
import type { InsertOutcome } from '@tickrate/warehouse';
import type { WorkerConfig } from '../config.ts';
import type { WorkerEvents } from '../events.ts';
import { Batcher } from '../intake/batcher.ts';
import { createIntake, type Intake } from '../intake/intake.ts';
import { Delivery } from './deliver.ts';
import type { EventStore } from './event-store.ts';
import { Abandoned, createFailureStreak, createRetries, type Retries } from './retries.ts';

export interface PathParts {
  readonly ledger: Ledger;
  readonly store: EventStore;
  readonly events: WorkerEvents;
  newId(): string;
  /** Milliseconds that never jump: they decide how long chunks are held. */
  now(): number;
  random(): number;
}

/**
 * PostgreSQL that is back stores again within three seconds: an attempt costs it a connection. An attempt costs
 * ClickHouse an insert.
 */
const longestMs = { ledger: 1_000, store: 30_000 } as const;

export type DeliveryPath = ReturnType<typeof createDeliveryPath>;

/** From the queue through the batcher to the store; an outage at one end stops the other. */
export function createDeliveryPath(config: WorkerConfig, parts: PathParts) {
  const { ledger, store, events, newId, now, random } = parts;
  const consumer = createConsumer({
    queueUrl: config.queueUrl,
    shards: config.queueShards,
    concurrency: config.concurrency,
    lockMs: config.lockMs,
    stalledIntervalMs: config.lockMs / 2,
    handle: (chunk, lane, share) => take(chunk, lane, share),
    handleMalformed: (job) => bury(job),
    untilNextBatch: () => batcher.untilNextMs,
    onFault: (fault) => events.dependencyFault('queue', fault),
    onRedelivery: (jobIds) => events.chunksRedelivered(jobIds.length),
  });
  const intake = createIntake(consumer, events);
  const retries = createRetriesOfBoth({ intake, events, random });
  const { tokenWindowMs } = config;
  const findChunks = (ids: readonly string[]) => consumer.find(ids);
  const delivery = new Delivery({ ledger, store, findChunks, retries, newId, now, events, tokenWindowMs });
  const batcher = new Batcher({
    slots: consumer.slots,
    deliver(chunks) {
      const attributes = { 'messaging.batch.message_count': chunks.length };
      const traceparents = chunks.flatMap(({ traceparent }) => traceparent ?? []);
      const span = { name: 'deliver batch', kind: 'consumer', attributes } as const;
      return inBatchSpan(span, traceparents, () => delivery.deliver(chunks));
    },
    limits: {
      maxRows: config.batchRows,
      maxBytes: config.batchBytes,
      maxAgeMs: config.batchAgeMs,
      maxInFlight: 2,
    },
    clock: {
      now,
      setTimer(delayMs, fire) {
        const timer = setTimeout(fire, delayMs);
        return () => clearTimeout(timer);
      },
    },
  });

  async function take(chunk: Chunk, lane: Lane, share: number): Promise<void> {
    const stored = batcher.add(chunk, lane, share);
    if (batcher.bytes >= config.heldBytes) intake.hold('memoryFull');
    try {
      await stored;
    } catch (fault) {
      if (!(fault instanceof Abandoned)) events.deliveryFailed(chunk.id, fault);
      throw fault;
    } finally {
      if (batcher.bytes < config.heldBytes / 2) intake.release('memoryFull');
    }
  }

  async function bury(job: MalformedJob): Promise<void> {
    if (await ledger.buryJob({ id: newId(), job })) events.jobBuried(job.id, job.reason);
  }

  return {
    consumer,
    batcher,
    delivery,
    intake,
    /** Gives up the current attempts, so that their chunks go back to the queue. */
    abandon() {
      retries.ledger.abandon();
      retries.store.abandon();
    },
  };
}

/** Each dependency has its own failure streak: a healthy ledger must not hide that ClickHouse is away. */
function createRetriesOfBoth({
  intake,
  events,
  random,
}: {
  intake: Intake;
  events: WorkerEvents;
  random(): number;
}): { readonly ledger: Retries; readonly store: Retries } {
  const ledger = createFailureStreak(intake, 'ledgerAway');
  const store = createFailureStreak(intake, 'storeAway');
  return {
    ledger: createRetries({
      longestMs: longestMs.ledger,
      isPassing: (fault) => fault instanceof PostgresUnavailable,
      random,
      sleep,
      onSuccess: ledger.succeeded,
      onFailure(fault) {
        ledger.failed();
        events.dependencyFault('ledger', fault);
      },
    }),
    store: createRetries({
      longestMs: longestMs.store,
      isPassing: () => true,
      random,
      sleep,
      onSuccess() {
        store.succeeded();
        intake.release('schemaBroken');
      },
      onFailure(failure, delayMs) {
        store.failed();
        if (isDelay(failure) && failure.kind === 'schema') intake.hold('schemaBroken');
        if (isDelay(failure)) events.insertDelayed(failure, delayMs);
        else events.dependencyFault('clickhouse', failure);
      },
    }),
  };
}

function isDelay(failure: unknown): failure is Exclude<InsertOutcome, { kind: 'stored' | 'data' }> {
  return typeof failure === 'object' && failure !== null && 'kind' in failure;
}
