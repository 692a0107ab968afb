import { type Chunk, chunkBeganMs } from '@tickrate/pipeline';
import type { Telemetry } from '@tickrate/platform';
import type { Volume } from './limits/disk-space.ts';

export type GatewayEvents = ReturnType<typeof createGatewayEvents>;

/** Named events of the gateway, in addition to its requests. */
export function createGatewayEvents(telemetry: Telemetry, now: () => number = Date.now) {
  return { ...createIntakeEvents(telemetry, now), ...createRejectionEvents(telemetry) };
}

function createRejectionEvents({ metrics }: Telemetry) {
  const rejected = metrics.counter({
    name: 'tickrate_gateway_events_rejected_total',
    help: 'Rejected events, by the reason of their first fault',
    labels: ['reason'],
  });
  const samples = metrics.counter({
    name: 'tickrate_gateway_rejected_samples_total',
    help: 'Samples of rejected events, kept for the quarantine or dropped because a limit was reached',
    labels: ['outcome'],
  });
  return {
    eventRejected(reason: string) {
      rejected.inc({ reason });
    },
    rejectionsSampled(outcome: 'kept' | 'dropped', count: number) {
      if (count > 0) samples.inc({ outcome }, count);
    },
  };
}

function createIntakeEvents({ logger, metrics }: Telemetry, now: () => number) {
  const accepted = metrics.counter({
    name: 'tickrate_gateway_events_accepted_total',
    help: 'Accepted events: they are in the queue',
  });
  const chunks = metrics.counter({
    name: 'tickrate_gateway_chunks_total',
    help: 'Chunks that the queue confirmed',
  });
  const chunkBytes = metrics.counter({
    name: 'tickrate_gateway_chunk_bytes_total',
    help: 'Compressed bytes of the chunks that the queue confirmed',
  });
  const durations = metrics.histogram({
    name: 'tickrate_gateway_accept_seconds',
    help: 'Time from the first event of a chunk until the queue confirmed it, for each request with events in it',
  });
  const deprecated = metrics.counter({
    name: 'tickrate_gateway_deprecated_requests_total',
    help: 'Requests with events of a deprecated version',
  });
  const faults = metrics.counter({
    name: 'tickrate_gateway_dependency_faults_total',
    help: 'Faults of a dependency from which the gateway recovered',
    labels: ['dependency'],
  });
  return {
    chunkSent(chunk: Chunk, requestIds: readonly string[]) {
      accepted.inc(chunk.count);
      chunks.inc();
      chunkBytes.inc(chunk.frame.byteLength);
      durations.observe(Math.max(0, now() - chunkBeganMs(chunk.id)) / 1_000, requestIds.length);
      logger.info(
        { chunkId: chunk.id, project: chunk.projectId, events: chunk.count, requestIds },
        'chunk queued',
      );
    },
    storesFull({ name, freeBytes }: Volume) {
      logger.error(
        { volume: name, freeBytes },
        'a volume of the stores is almost full: new events are refused until DISK_RESERVE and the queued bytes fit',
      );
    },
    storesHaveSpace() {
      logger.info('the volumes of the stores have space again: new events are accepted');
    },
    volumeUnread(source: string, err: unknown) {
      logger.error(
        { source, err },
        'the free space of a volume of the stores could not be read: this volume refuses no events',
      );
    },
    deprecatedVersionUsed() {
      deprecated.inc();
    },
    dependencyFault(dependency: 'postgres' | 'registry' | 'queue' | 'ledger', err: unknown) {
      faults.inc({ dependency });
      logger.warn({ dependency, err }, 'a dependency failed');
    },
  };
}
