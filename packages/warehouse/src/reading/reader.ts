import { uuidShape } from '@tickrate/contract';
import type { ClickHouse } from '../clickhouse.ts';
import { quoteString } from '../quote.ts';
import { eventsTable, storedTable, systemTable, type WarehousePlace } from '../table/events-table.ts';
import { WarehouseFault } from '../warehouse-fault.ts';
import { type Query, readBytesOfDay, readServerFacts } from './server-facts.ts';

export interface QueryOptions {
  /** Values for `{name:Type}` in the SQL. */
  readonly parameters?: Readonly<Record<string, unknown>>;
  readonly timeoutMs?: number;
  /** A longer answer is a fault. It is never truncated. */
  readonly mostRows?: number;
  readonly signal?: AbortSignal;
}

export interface DiskLevel {
  readonly freeBytes: number;
  readonly totalBytes: number;
}

export interface WarehouseStatus {
  readonly parts: number;
  /** Active parts of the largest partition. ClickHouse delays inserts from 1,000 and rejects them from 3,000. */
  readonly partsOfFullestPartition: number;
  readonly rows: number;
  readonly bytes: number;
  readonly diskFreeBytes: number;
  readonly diskTotalBytes: number;
}

export type PingResult =
  | { readonly ok: true; readonly version: string }
  | { readonly ok: false; readonly code: string; readonly message: string };

const chunksPerQuery = 2_000;

export type Reader = ReturnType<typeof createReader>;

export function createReader(
  clickhouse: ClickHouse,
  { place, timeoutMs, pingTimeoutMs }: { place: WarehousePlace; timeoutMs: number; pingTimeoutMs: number },
) {
  const query = <Row>(sql: string, options: QueryOptions = {}) =>
    clickhouse.rows<Row>(sql, {
      timeoutMs: options.timeoutMs ?? timeoutMs,
      signal: options.signal,
      parameters: options.parameters,
      settings: { max_result_rows: String(options.mostRows ?? 100_000), result_overflow_mode: 'throw' },
    });

  async function countByChunk(chunkIds: readonly string[]): Promise<Map<string, number>> {
    const counts = new Map<string, number>();
    for (let at = 0; at < chunkIds.length; at += chunksPerQuery) {
      const ids = chunkIds.slice(at, at + chunksPerQuery).map(uuidLiteral);
      const rows = await query<{ chunk_id: string; stored: string }>(
        `SELECT chunk_id, count() AS stored FROM ${eventsTable(place)} WHERE chunk_id IN (${ids.join(', ')}) GROUP BY chunk_id`,
      );
      for (const row of rows) counts.set(row.chunk_id, Number(row.stored));
    }
    return counts;
  }

  return {
    /** Runs a SELECT without FORMAT. 64-bit integers are strings. Throws a WarehouseFault. */
    query,
    /** Returns the number of stored rows of each chunk. Leaves out chunks without rows. Throws a WarehouseFault. */
    countByChunk,
    /** Whether ClickHouse answers a query. Never throws. */
    async ping(): Promise<PingResult> {
      try {
        const rows = await query<{ version: string }>('SELECT version() AS version', {
          timeoutMs: pingTimeoutMs,
        });
        return { ok: true, version: rows[0]?.version ?? '' };
      } catch (error) {
        if (error instanceof WarehouseFault) return { ok: false, code: error.code, message: error.message };
        throw error;
      }
    },
    /** The free space where the events are stored; in a cluster, on the fullest server. Throws a WarehouseFault. */
    diskLevel: () => readDiskLevel(query, place),
    /** Throws a WarehouseFault. */
    serverFacts: () => readServerFacts(query, place),
    /** Bytes of the events of the last day on this server. Throws a WarehouseFault. */
    bytesOfDay: () => readBytesOfDay(query, place),
    /** How full this server is. Throws a WarehouseFault. */
    status: () => readStatus(query, place),
  };
}

/** The disks of the storage policy of the table. Object storage reports more space than a whole number can hold. */
async function readDiskLevel(query: Query, place: WarehousePlace): Promise<DiskLevel> {
  const [level] = await query<DiskLevel>(`
SELECT freeBytes, totalBytes FROM (
  SELECT hostName() AS host, sum(toFloat64(free_space)) AS freeBytes, sum(toFloat64(total_space)) AS totalBytes
  FROM ${systemTable(place, 'disks')} WHERE name IN (
    SELECT arrayJoin(disks) FROM system.storage_policies WHERE policy_name IN (
      SELECT storage_policy FROM system.tables
      WHERE database = ${quoteString(place.database)} AND name = ${quoteString(storedTable(place))}))
  GROUP BY host
) ORDER BY freeBytes LIMIT 1`);
  if (level === undefined)
    throw new WarehouseFault('ClickHouse names no disk of the table of events', {
      code: 'NO_DISK',
      transient: true,
    });
  return level;
}

async function readStatus(query: Query, place: WarehousePlace): Promise<WarehouseStatus> {
  const where = `database = ${quoteString(place.database)} AND table = ${quoteString(storedTable(place))} AND active`;
  const [status] = await query<WarehouseStatus>(`
SELECT toFloat64(sum(n)) AS parts, toFloat64(max(n)) AS partsOfFullestPartition, toFloat64(sum(r)) AS rows,
  toFloat64(sum(b)) AS bytes, (SELECT toFloat64(sum(free_space)) FROM system.disks) AS diskFreeBytes,
  (SELECT toFloat64(sum(total_space)) FROM system.disks) AS diskTotalBytes
FROM (SELECT count() AS n, sum(rows) AS r, sum(bytes_on_disk) AS b FROM system.parts WHERE ${where} GROUP BY partition)`);
  if (status === undefined) throw new WarehouseFault('no status', { code: 'NO_STATUS', transient: true });
  return status;
}

function uuidLiteral(id: string): string {
  if (!uuidShape.test(id)) throw new RangeError(`Not the id of a chunk: ${id}`);
  return quoteString(id);
}
