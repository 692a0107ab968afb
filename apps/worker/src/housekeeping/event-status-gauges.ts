import type { Metrics } from '@tickrate/platform';
import type { Standing } from './event-status.ts';

interface Figure {
  readonly help: string;
  /** Null when it is not known. */
  readonly read: (standing: Standing, nowMs: number) => number | null;
}

const figures: Readonly<Record<string, Figure>> = {
  tickrate_events_accepted: {
    help: 'Events of all projects that were answered with success, since the beginning',
    read: ({ account }) => account?.accepted ?? null,
  },
  tickrate_events_stored: {
    help: 'Events that were stored, since the beginning',
    read: ({ account }) => account?.stored ?? null,
  },
  tickrate_events_pending: {
    help: 'Events that wait in the queue or are being stored',
    read: ({ account }) => account?.pending ?? null,
  },
  tickrate_events_deduplicated: {
    help: 'Events that were repeats of others, since the beginning',
    read: ({ account }) => account?.deduplicated ?? null,
  },
  tickrate_events_dead: {
    help: 'Events that are kept as dead letters',
    read: ({ account }) => account?.dead ?? null,
  },
  tickrate_events_missing: {
    help: 'Accepted events that are nowhere. Anything but 0 is an alarm',
    read: ({ account }) => account?.missing ?? null,
  },
  tickrate_queue_chunks: {
    help: 'Chunks that wait or are being stored',
    read: ({ queue }) => queue?.depth ?? null,
  },
  tickrate_queue_bytes: {
    help: 'What the queue holds',
    read: ({ queue }) => queue?.usedBytes ?? null,
  },
  tickrate_queue_limit_bytes: {
    help: 'What the queue may hold; gateways refuse events from 70 % of it',
    read: ({ queue }) => queue?.limitBytes ?? null,
  },
  tickrate_queue_oldest_seconds: {
    help: 'How long the oldest chunk has been waiting',
    read: ({ queue }, nowMs) => queue && (queue.oldestMs === null ? 0 : (nowMs - queue.oldestMs) / 1_000),
  },
  tickrate_clickhouse_parts: {
    help: 'Parts of the events table in its fullest partition; ClickHouse slows inserts down from 1,000 on',
    read: ({ warehouse }) => warehouse?.partsOfFullestPartition ?? null,
  },
  tickrate_clickhouse_event_bytes: {
    help: 'What the events take on disk',
    read: ({ warehouse }) => warehouse?.bytes ?? null,
  },
  tickrate_clickhouse_disk_free_bytes: {
    help: 'What is free on the disks of ClickHouse',
    read: ({ warehouse }) => warehouse?.diskFreeBytes ?? null,
  },
};

/** The state of the installation for Prometheus. Every worker tells the same; what is not known is NaN. */
export function addStandingGauges(
  metrics: Metrics,
  { latest, now }: { readonly latest: () => Standing; readonly now: () => number },
): void {
  for (const [name, { help, read }] of Object.entries(figures)) {
    metrics.gauge({ name, help, read: () => read(latest(), now()) ?? Number.NaN });
  }
}
