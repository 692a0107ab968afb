import { insertSettings } from '../inserts/writer.ts';
import { quoteIdentifier, quoteString } from '../quote.ts';
import { storedTable, type WarehousePlace } from '../table/events-table.ts';

export type Query = <Row>(sql: string) => Promise<Row[]>;

/** Facts about this server for operators. */
export interface ServerFacts {
  /** Null if the server does not report it. */
  readonly memoryLimitBytes: number | null;
  readonly memoryBytes: number;
  /** Settings that the user may not change. Every insert sets them, so it would fail. */
  readonly fixedSettings: readonly string[];
}

export async function readServerFacts(query: Query, place: WarehousePlace): Promise<ServerFacts> {
  const names = insertSettings(place).map(quoteString).join(', ');
  const [row] = await query<{ limit: string; used: string; fixed: string[] }>(`
SELECT (SELECT any(value) FROM system.server_settings WHERE name = 'max_server_memory_usage') AS limit,
  (SELECT sum(value) FROM system.metrics WHERE metric = 'MemoryTracking') AS used,
  (SELECT groupArray(name) FROM system.settings WHERE readonly = 1 AND name IN (${names})) AS fixed`);
  return {
    // 0 is a limit that the server calculates and does not show.
    memoryLimitBytes: Number(row?.limit) || null,
    memoryBytes: Math.max(0, Number(row?.used ?? 0)),
    fixedSettings: row?.fixed ?? [],
  };
}

/** The size on this server of the events that arrived within the last day, by the average size of all. */
export async function readBytesOfDay(query: Query, place: WarehousePlace): Promise<number> {
  const { database } = place;
  const table = storedTable(place);
  const [row] = await query<{ bytes: number }>(`
SELECT count() * (
  SELECT sum(bytes_on_disk) / greatest(sum(rows), 1) FROM system.parts
  WHERE database = ${quoteString(database)} AND table = ${quoteString(table)} AND active) AS bytes
FROM ${quoteIdentifier(database)}.${quoteIdentifier(table)} WHERE received >= now64(3) - INTERVAL 1 DAY`);
  return Number(row?.bytes ?? 0);
}
