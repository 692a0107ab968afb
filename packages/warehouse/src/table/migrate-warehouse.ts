import type { ClickHouse } from '../clickhouse.ts';
import { quoteIdentifier, quoteString } from '../quote.ts';
import { createEventsTable, onCluster, replicatedEngine, type WarehousePlace } from './events-table.ts';

export interface MigrateOptions {
  /** Creates an empty events table if an existing one was dropped. Only on explicit request. */
  readonly restoreMissing?: boolean;
}

/** Migrates the database and its tables. Resolves when they are current. Throws a WarehouseFault; can be repeated. */
export async function migrateWarehouse(
  clickhouse: ClickHouse,
  { place, timeoutMs, restoreMissing = false }: MigrateOptions & { place: WarehousePlace; timeoutMs: number },
): Promise<void> {
  const call = { timeoutMs };
  for (const statement of createHistory(place)) await clickhouse.command(statement, call);
  const history = historyTable(place);
  const done = await clickhouse.rows<{ id: number }>(`SELECT DISTINCT id FROM ${history}`, call);
  const isToBeRestored = restoreMissing && (await isEventsTableMissing(clickhouse, place, timeoutMs));
  // Every statement of a migration can be repeated.
  const doneIds = new Set(isToBeRestored ? [] : done.map(({ id }) => id));
  for (const migration of migrations) {
    if (doneIds.has(migration.id)) continue;
    for (const statement of migration.statements(place)) await clickhouse.command(statement, call);
    const values = `(${migration.id}, ${quoteString(migration.name)})`;
    await clickhouse.command(`INSERT INTO ${history} (id, name) VALUES ${values}`, call);
  }
}

async function isEventsTableMissing(
  clickhouse: ClickHouse,
  { database }: WarehousePlace,
  timeoutMs: number,
): Promise<boolean> {
  const tables = await clickhouse.rows(
    `SELECT name FROM system.tables WHERE database = ${quoteString(database)} AND name = 'events'`,
    { timeoutMs },
  );
  return tables.length === 0;
}

/** Creates the database and the table of completed migrations. */
export function createHistory(place: WarehousePlace): string[] {
  const on = onCluster(place);
  const keeperPath = `/clickhouse/tables/${place.database}/migrations`;
  const engine =
    place.cluster === null ? 'ReplacingMergeTree' : replicatedEngine(keeperPath, '{shard}-{replica}');
  return [
    `CREATE DATABASE IF NOT EXISTS ${quoteIdentifier(place.database)}${on}`,
    `CREATE TABLE IF NOT EXISTS ${historyTable(place)}${on}
(id UInt32, name String, applied DateTime64(3, 'UTC') DEFAULT now64(3))
ENGINE = ${engine} ORDER BY id
COMMENT 'The migrations that have run.'`,
  ];
}

function historyTable(place: WarehousePlace): string {
  return `${quoteIdentifier(place.database)}.migrations`;
}

export interface Migration {
  readonly id: number;
  readonly name: string;
  /** Each can run twice, also concurrently in two processes: ClickHouse has no locks. */
  readonly statements: (place: WarehousePlace) => readonly string[];
}

/** In order, forward only. A released migration never changes. */
export const migrations: readonly Migration[] = [
  { id: 1, name: 'create the events table', statements: createEventsTable },
];
