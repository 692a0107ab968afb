import type { Metrics } from '@tickrate/platform';
import type { Standing } from './standing.ts';

const places = ['accepted', 'stored', 'pending', 'deduplicated', 'dead'] as const;
const unknown = Number.NaN;

/** The state of the installation for Prometheus. Every worker tells the same; what is not known is NaN. */
export function addStandingGauges(
  metrics: Metrics,
  { latest, now }: { readonly latest: () => Standing; readonly now: () => number },
): void {
  for (const place of places) {
    metrics.gauge({
      name: `tickrate_events_${place}`,
      help: `Events of all projects since the beginning: ${place}`,
      read: () => latest().account?.[place] ?? unknown,
    });
  }
  const figures: Readonly<Record<string, { help: string; read: (standing: Standing) => number | null }>> = {
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
      read: ({ queue }) => queue && (queue.oldestMs === null ? 0 : (now() - queue.oldestMs) / 1_000),
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
  for (const [name, { help, read }] of Object.entries(figures)) {
    metrics.gauge({ name, help, read: () => read(latest()) ?? unknown });
  }
}
