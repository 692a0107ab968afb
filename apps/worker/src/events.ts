import type { ErasureCertificate } from '@tickrate/contract';
import { chunkBeganMs, type DeadFragment, type SealedBatch } from '@tickrate/pipeline';
import type { Telemetry } from '@tickrate/platform';
import type { ExpiredPartition, InsertOutcome } from '@tickrate/warehouse';
import type { Refusal } from './delivery/event-store.ts';
import type { HoldReason } from './intake/intake.ts';

export type WorkerEvents = ReturnType<typeof createWorkerEvents>;

export type Dependency = 'postgres' | 'queue' | 'ledger' | 'clickhouse' | 'registry';

/** Named events of the worker: one line per batch, none per event. */
export function createWorkerEvents(telemetry: Telemetry, now: () => number = Date.now) {
  return {
    ...createDeliveryEvents(telemetry, now),
    ...createProcessFaults(telemetry),
    ...createRemovalEvents(telemetry),
  };
}

interface StoredBatch extends Pick<SealedBatch, 'rows' | 'chunks'> {
  /** With it and the ids of the chunks, a request can be followed from the gateway's log to the insert. */
  readonly batchId: string;
  readonly durationMs: number;
  readonly replayed: boolean;
}

/** Named events of chunks between the queue and the store. */
export type DeliveryEvents = ReturnType<typeof createDeliveryEvents>;

function createDeliveryEvents({ logger, metrics }: Telemetry, now: () => number) {
  const ends = metrics.counter({
    name: 'tickrate_worker_events_total',
    help: 'Events, by the outcome of their delivery',
    labels: ['end'],
    from: ['stored', 'deduplicated', 'dead', 'lost'].map((end) => ({ end })),
  });
  const durations = metrics.histogram({
    name: 'tickrate_worker_batch_seconds',
    help: 'Time from the seal of a batch until its rows are stored',
  });
  const delays = metrics.histogram({
    name: 'tickrate_worker_delivery_seconds',
    help: 'Time from the acceptance of events until they are stored',
    buckets: [0.1, 0.25, 0.5, 1, 1.5, 2, 3, 5, 10, 30, 60, 300, 1_800, 21_600],
  });
  const refusals = metrics.counter({
    name: 'tickrate_worker_refused_inserts_total',
    help: 'Batches in which ClickHouse refused a row',
  });
  const vanished = metrics.counter({
    name: 'tickrate_worker_vanished_inserts_total',
    help: 'Inserts that were repeated because ClickHouse had their token but not their rows',
  });
  return {
    batchStored({ durationMs, chunks, ...batch }: StoredBatch) {
      ends.inc({ end: 'stored' }, batch.rows);
      durations.observe(durationMs / 1_000);
      const nowMs = now();
      for (const { id, rows } of chunks) delays.observe(Math.max(0, nowMs - chunkBeganMs(id)) / 1_000, rows);
      const chunkIds = chunks.map(({ id }) => id);
      logger.info({ ...batch, chunkIds, durationMs: Math.round(durationMs) }, 'batch stored');
    },
    /** Rows that were dropped from a batch, because their idempotency key was stored before. */
    rowsDeduplicated(batchId: string, rows: number) {
      ends.inc({ end: 'deduplicated' }, rows);
      logger.debug({ batchId, rows }, 'repeated events dropped');
    },
    rowsBuried(dead: Pick<DeadFragment, 'batchId' | 'reason' | 'detail'> & { readonly rows: number }) {
      ends.inc({ end: 'dead' }, dead.rows);
      logger.error(dead, 'rows became dead letters');
    },
    /** Chunks of a sealed batch that neither the queue nor the store has: accepted events are lost. */
    chunksLost(batchId: string, chunkIds: readonly string[]) {
      ends.inc({ end: 'lost' }, chunkIds.length);
      logger.fatal({ batchId, chunkIds }, 'chunks of a sealed batch are missing');
    },
    jobBuried(jobId: string, reason: string) {
      ends.inc({ end: 'dead' });
      logger.error({ jobId, reason }, 'a job without a valid chunk became a dead letter');
    },
    /** The store knew the token of an insert but not its rows: they are inserted again. */
    rowsVanished(token: string) {
      vanished.inc();
      logger.error({ token }, 'ClickHouse has the token of an insert but not its rows: inserting again');
    },
    insertRefused(batchId: string, { code, row, message }: Refusal) {
      refusals.inc();
      logger.error(
        { batchId, errorCode: code, row, message: message.slice(0, 500) },
        'ClickHouse refused a row',
      );
    },
  };
}

function createRemovalEvents({ logger, metrics }: Telemetry) {
  const expired = metrics.counter({
    name: 'tickrate_worker_expired_events_total',
    help: 'Events that a retention policy removed',
  });
  let lastRunMs = 0;
  metrics.gauge({
    name: 'tickrate_worker_retention_last_run_seconds',
    help: 'UNIX time of the last search for expired events; 0 before the first',
    read: () => lastRunMs / 1_000,
  });
  const erasures = metrics.counter({
    name: 'tickrate_worker_erasures_total',
    help: 'Accounts whose events were erased, with a certificate',
  });
  const faults = metrics.counter({
    name: 'tickrate_worker_removal_faults_total',
    help: 'Failed erasures and searches for expired events; they are retried',
    labels: ['task'],
    from: [{ task: 'erasure' }, { task: 'retention' }],
  });
  return {
    removalFault(task: 'erasure' | 'retention', err: unknown) {
      faults.inc({ task });
      logger.error({ task, err }, 'events could not be removed: the task is repeated');
    },
    expired(removed: readonly ExpiredPartition[], nowMs: number) {
      lastRunMs = nowMs;
      expired.inc(
        {},
        removed.reduce((sum, { rows }) => sum + rows, 0),
      );
      for (const month of removed) logger.info(month, 'expired events removed');
    },
    erased({ id, projectId: project, mode, removed, digest }: ErasureCertificate) {
      erasures.inc();
      logger.info({ id, project, mode, removed, digest }, 'account erased');
    },
  };
}

function createProcessFaults({ logger, metrics }: Telemetry) {
  const faults = metrics.counter({
    name: 'tickrate_worker_dependency_faults_total',
    help: 'Faults of a dependency that the worker retries',
    labels: ['dependency'],
  });
  const alarms = metrics.counter({
    name: 'tickrate_worker_schema_faults_total',
    help: 'Inserts that failed because a table has the wrong structure; alert on any',
  });
  const redelivered = metrics.counter({
    name: 'tickrate_worker_redelivered_chunks_total',
    help: 'Chunks whose lock was lost or whose worker died',
  });
  return {
    dependencyFault(dependency: Dependency, err: unknown) {
      faults.inc({ dependency });
      logger.warn({ dependency, err }, 'a dependency failed');
    },
    insertDelayed(outcome: Exclude<InsertOutcome, { kind: 'stored' | 'data' }>, delayMs: number) {
      faults.inc({ dependency: 'clickhouse' });
      const line = { errorCode: outcome.code, message: outcome.message.slice(0, 500), delayMs };
      if (outcome.kind === 'schema') {
        alarms.inc();
        logger.fatal(
          line,
          'ClickHouse lacks a table, column or permission of the worker: inserts wait until it is added, or `tickrate migrate` has run',
        );
      } else if (outcome.known) logger.warn(line, 'insert failed: it is repeated after a delay');
      else logger.error(line, 'insert failed with an unknown error: it is repeated after a delay');
    },
    eventsMissing(missingByProject: ReadonlyMap<string, number>) {
      logger.fatal({ missing: Object.fromEntries(missingByProject) }, 'accepted events are missing');
    },
    deliveryFailed(chunkId: string, err: unknown) {
      logger.error({ chunkId, err }, 'delivery failed: the chunk returns to the queue');
    },
    held(reason: HoldReason) {
      logger.warn({ reason }, 'intake paused');
    },
    released(reason: HoldReason) {
      logger.info({ reason }, 'intake resumed');
    },
    chunksRedelivered(count: number) {
      redelivered.inc(count);
    },
    viewApplied(projectId: string, typeName: string) {
      logger.debug({ project: projectId, typeName }, 'typed view applied');
    },
  };
}
