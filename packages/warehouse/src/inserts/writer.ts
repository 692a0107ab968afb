import { eventColumns } from '@tickrate/events';
import { type ClickHouse, failureCode } from '../clickhouse.ts';
import { eventsTable, type WarehousePlace } from '../table/events-table.ts';
import { type InsertOutcome, readInsertAnswer } from './insert-outcome.ts';

export interface RowsInsert {
  /** zstd frames of RowBinary rows, in the order of `eventColumns`. Together they are the body of the request. */
  readonly body: readonly Uint8Array[];
  /** Equal for every attempt with the same rows in the same order, and for no other rows. */
  readonly token: string;
  readonly signal?: AbortSignal | undefined;
}

// These must be equal in every attempt, or the token would not be recognized.
const settings = {
  // On by default in new servers: rows of several inserts would then share a block, and tokens mean nothing.
  async_insert: 0,
  insert_deduplicate: 1,
  // A batch is one block. If it were split, a crash between the blocks would leave a part of it stored.
  max_insert_block_size: '4000000',
  min_insert_block_size_rows: '4000000',
  min_insert_block_size_bytes: '4000000000',
  max_insert_threads: '1',
  input_format_binary_read_json_as_string: 0,
} as const;
// By default, a Distributed table accepts the rows, answers, and forwards them later without the token.
const clusterSettings = { distributed_foreground_insert: 1 } as const;

/** The names of the settings of every insert. */
export function insertSettings(place: WarehousePlace): string[] {
  return [...Object.keys(fixedOf(place)), 'insert_deduplication_token'];
}

function fixedOf({ cluster }: WarehousePlace) {
  return cluster === null ? settings : { ...settings, ...clusterSettings };
}

export type Writer = ReturnType<typeof createWriter>;

export function createWriter(
  clickhouse: ClickHouse,
  { place, timeoutMs }: { place: WarehousePlace; timeoutMs: number },
) {
  const names = eventColumns.map(({ name }) => name).join(', ');
  const sql = `INSERT INTO ${eventsTable(place)} (${names}) FORMAT RowBinary`;
  const fixed = fixedOf(place);
  return {
    /**
     * Stores all rows or none (one part in each month in which they were received). Never throws: every result is an
     * outcome. Safe to repeat, also concurrently, with the same body and token.
     */
    async insertRows({ body, token, signal }: RowsInsert): Promise<InsertOutcome> {
      // ClickHouse rejects an INSERT without rows. A batch is empty if all of its rows were already stored.
      if (body.length === 0) return { kind: 'stored' };
      try {
        const answer = await clickhouse.post(sql, {
          timeoutMs,
          signal,
          body,
          settings: { ...fixed, insert_deduplication_token: token },
        });
        return readInsertAnswer(answer);
      } catch (error) {
        const message = error instanceof Error ? error.message : String(error);
        return { kind: 'transient', code: failureCode(error), known: true, message };
      }
    },
  };
}
