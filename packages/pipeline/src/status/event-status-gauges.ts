import type { Metrics } from '@tickrate/platform';
import { laneAt, lanes } from '../queue/stores/lane.ts';
import type { QueueLevel, StoreLevel } from '../queue/stores/queue-store.ts';
import type { EventStatus } from './event-status.ts';

interface Figure {
  readonly help: string;
  /** Null when it is unknown. */
  readonly read: (status: EventStatus) => number | null;
}

const figures: Readonly<Record<string, Figure>> = {
  tickrate_events_accepted: {
    help: 'Accepted events of all projects since the installation was created',
    read: ({ account }) => account?.accepted ?? null,
  },
  tickrate_events_stored: {
    help: 'Stored events since the installation was created',
    read: ({ account }) => account?.stored ?? null,
  },
  tickrate_events_pending: {
    help: 'Events that wait in the queue or are being stored',
    read: ({ account }) => account?.pending ?? null,
  },
  tickrate_events_deduplicated: {
    help: 'Deduplicated events since the installation was created',
    read: ({ account }) => account?.deduplicated ?? null,
  },
  tickrate_events_dead: {
    help: 'Events that are kept as dead letters',
    read: ({ account }) => account?.dead ?? null,
  },
  tickrate_events_missing: {
    help: 'Missing events: accepted, but not found anywhere; alert unless 0',
    read: ({ account }) => account?.missing ?? null,
  },
  tickrate_queue_bytes: {
    help: 'Bytes in the queue',
    read: ({ queue }) => queue && sumOf(queue.stores, 'usedBytes'),
  },
  tickrate_queue_limit_bytes: {
    help: 'Limit of the bytes in the queue; gateways refuse events from 70 % of it',
    read: ({ queue }) => queue && sumOf(queue.stores, 'limitBytes'),
  },
  tickrate_clickhouse_parts: {
    help: 'Parts of the events table in its fullest partition; ClickHouse slows inserts down from 1,000 on',
    read: ({ warehouse }) => warehouse?.partsOfFullestPartition ?? null,
  },
  tickrate_clickhouse_event_bytes: {
    help: 'Bytes of the events on disk',
    read: ({ warehouse }) => warehouse?.bytes ?? null,
  },
  tickrate_clickhouse_disk_free_bytes: {
    help: 'Free bytes on the disks of ClickHouse',
    read: ({ warehouse }) => warehouse?.diskFreeBytes ?? null,
  },
};

const queueFigures = {
  tickrate_queue_chunks: {
    help: 'Chunks that wait or are being stored, by lane and shard',
    read: ({ depth }: QueueLevel) => depth,
  },
  tickrate_queue_oldest_seconds: {
    help: 'Age of the oldest chunk, by lane and shard; 0 without one',
    read: ({ oldestMs }: QueueLevel, nowMs: number) => (oldestMs === null ? 0 : (nowMs - oldestMs) / 1_000),
  },
};

/**
 * The state of the installation for Prometheus. Every worker and console exports the same values. Unknown ones are NaN,
 * or absent if they have labels.
 */
export function addEventStatusGauges(metrics: Metrics, latest: () => EventStatus): void {
  for (const [name, { help, read }] of Object.entries(figures)) {
    metrics.gauge({ name, help, read: () => read(latest()) ?? Number.NaN });
  }
  for (const [name, { help, read }] of Object.entries(queueFigures)) {
    metrics.gauge({
      name,
      help,
      labels: ['lane', 'shard'],
      read: () => {
        const { stores, readAtMs } = latest().queue ?? { stores: [], readAtMs: 0 };
        return stores.flatMap(({ queues }, store) => {
          const shards = queues.length / lanes.length;
          return queues.map((queue, place) => ({
            lane: laneAt(place, shards),
            shard: store * shards + (place % shards),
            value: read(queue, readAtMs),
          }));
        });
      },
    });
  }
}

function sumOf(stores: readonly StoreLevel[], figure: 'usedBytes' | 'limitBytes'): number {
  return stores.reduce((sum, store) => sum + store[figure], 0);
}
