import { eventColumns } from '@tickrate/events';
import { quoteIdentifier, quoteString } from '../quote.ts';

/** The location of the tables: one server, or the named cluster of the server's configuration. */
export interface WarehousePlace {
  readonly database: string;
  readonly cluster: string | null;
}

type ColumnName = (typeof eventColumns)[number]['name'];

/**
 * All types share this column. Each of these paths is a subcolumn with its own files in every part; the other members
 * share one. Measured (ADR 1): with 16, reads are as fast as with 64, and the cost of inserts and merges is
 * independent of the number of types. With 256 and 300 types it is eight times as high.
 */
const jsonType = 'JSON(max_dynamic_paths = 16)';

const codecs: Readonly<Partial<Record<ColumnName, string>>> = {
  chunk_id: 'ZSTD(1)',
  event_id: 'ZSTD(1)',
  received: 'Delta(8), ZSTD(1)',
  // Most queries read these two. Compared with ZSTD, they take a quarter and half of the time (ADR 37).
  occurred: 'T64, LZ4',
  client_time: 'ZSTD(1)',
  key_line: 'ZSTD(1)',
  session_id: 'ZSTD(1)',
  account_id: 'LZ4',
  client_address: 'ZSTD(1)',
  data: 'ZSTD(1)',
};

// ClickHouse sorts a UUID by its second half, so a minmax index on one is useless; bloom filters work. Queries name
// hundreds of chunks, so that filter has a lower error rate than the one for a single event.
const indexes = [
  'INDEX by_chunk chunk_id TYPE bloom_filter(0.0005) GRANULARITY 1',
  'INDEX by_event event_id TYPE bloom_filter(0.01) GRANULARITY 1',
  'INDEX by_account account_id TYPE bloom_filter(0.01) GRANULARITY 1',
  'INDEX by_received received TYPE minmax GRANULARITY 1',
];

/**
 * The hour of an event in the key. Queries of customers cannot call this function: ClickHouse evaluates what is built on
 * it for the hours of all projects (ADR 34). It still finds the hours of a condition on `occurred`.
 */
export const hourOfKey = 'toRelativeHourNum(occurred)';

const settings = {
  // The default is 0: a retried insert would be stored again.
  non_replicated_deduplication_window: 10_000,
  object_serialization_version: "'v3'",
  object_shared_data_serialization_version: "'advanced'",
  object_shared_data_serialization_version_for_zero_level_parts: "'map_with_buckets'",
  // Each of the default 32 buckets is three files that every insert writes. 8 are read about as fast.
  object_shared_data_buckets_for_wide_part: 8,
  // By default the small parts of a merge are left out but one: at ten events a second, each insert rewrites a large part.
  merge_selector_enable_heuristic_to_remove_small_parts_at_right: 0,
  // The default is 5. Ten small parts are read as fast, and a large part is rewritten half as often.
  merge_selector_base: 10,
};
const replicatedSettings = {
  replicated_deduplication_window: 10_000,
  replicated_deduplication_window_seconds: 604_800,
};

/** The table for inserts and queries, on one server and in a cluster. */
export function eventsTable(place: WarehousePlace): string {
  return `${quoteIdentifier(place.database)}.events`;
}

/** The table with the rows of this server. Mutations and parts belong to it. */
export function storedTable(place: WarehousePlace): string {
  return place.cluster === null ? 'events' : 'events_local';
}

/** A table of `system`, in a cluster of all its servers. */
export function systemTable({ cluster }: WarehousePlace, table: string): string {
  return cluster === null
    ? `system.${table}`
    : `clusterAllReplicas(${quoteString(cluster)}, system.${table})`;
}

export function createEventsTable(place: WarehousePlace): string[] {
  const database = quoteIdentifier(place.database);
  if (place.cluster === null) {
    return [eventsStatement(`${database}.events`, 'ReplacingMergeTree', settings)];
  }
  const on = onCluster(place);
  const engine = replicatedEngine(`/clickhouse/tables/{shard}/${place.database}/events_local`, '{replica}');
  return [
    eventsStatement(`${database}.events_local${on}`, engine, { ...settings, ...replicatedSettings }),
    // Sharded by event, so that a batch is split in the same way in every insert: each shard knows only its own tokens.
    `CREATE TABLE IF NOT EXISTS ${database}.events${on} AS ${database}.events_local
ENGINE = Distributed(${quoteString(place.cluster)}, ${quoteString(place.database)}, 'events_local', cityHash64(event_id))`,
  ];
}

export function onCluster(place: WarehousePlace): string {
  return place.cluster === null ? '' : ` ON CLUSTER ${quoteIdentifier(place.cluster)}`;
}

export function replicatedEngine(keeperPath: string, replica: string): string {
  return `ReplicatedReplacingMergeTree(${quoteString(keeperPath)}, ${quoteString(replica)})`;
}

function eventsStatement(name: string, engine: string, tableSettings: object): string {
  const columns = eventColumns.map(
    (column) =>
      `${column.name} ${column.name === 'data' ? jsonType : column.type}${codecOf(codecs[column.name])}`,
  );
  return `CREATE TABLE IF NOT EXISTS ${name}
(
  ${[...columns, ...indexes].join(',\n  ')}
)
ENGINE = ${engine}
PARTITION BY toYYYYMM(received)
PRIMARY KEY (project, type, ${hourOfKey}, account_id)
ORDER BY (project, type, ${hourOfKey}, account_id, event_id, chunk_id, key_line)
SETTINGS ${Object.entries(tableSettings)
    .map(([key, value]) => `${key} = ${value}`)
    .join(', ')}
COMMENT 'Every accepted event, once. One typed view per event type is in its project''s own database.'`;
}

function codecOf(codec: string | undefined): string {
  return codec === undefined ? '' : ` CODEC(${codec})`;
}
