import { availableParallelism } from 'node:os';
import type { ClickHouseSettings } from '@clickhouse/client';

export interface QueryLimits {
  readonly mostSeconds: number;
  readonly mostMemoryBytes: number;
  readonly mostRows: number;
  readonly mostRowsRead: number;
  /** The limit of concurrent queries of one owner, in this process. */
  readonly mostAtOnce: number;
  /**
   * The limit of concurrent queries of all owners together, in this process. An owner without a running query may
   * always run one.
   */
  readonly mostAtOnceOverall: number;
  /** How long a query waits for a permit before it is refused. 0 means that it does not wait. */
  readonly waitMs: number;
  /** The limit of waiting queries of one project, in this process. */
  readonly mostWaiting: number;
  /** The limit of query seconds of one owner in each window, in this process. 0 means no limit. */
  readonly budgetSeconds: number;
  readonly budgetWindowSeconds: number;
}

export const queryLimits: QueryLimits = {
  mostSeconds: 30,
  mostMemoryBytes: 1024 * 1024 * 1024,
  mostRows: 10_000_000,
  mostRowsRead: 2_000_000_000,
  mostAtOnce: 4,
  mostAtOnceOverall: Math.max(4, availableParallelism() * 2),
  waitMs: 5_000,
  mostWaiting: 16,
  budgetSeconds: 300,
  budgetWindowSeconds: 600,
};

/** The authors' SQL is much shorter: a catalogue in it can list a project with many types. */
export const mostQueryBytes = 16 * 1024 * 1024;

/** The settings of every customer's query: read-only, bounded, and with the same output on every server. */
export function limitSettings(limits: QueryLimits) {
  return {
    readonly: '1',
    max_query_size: String(mostQueryBytes),
    max_execution_time: limits.mostSeconds,
    timeout_overflow_mode: 'throw',
    max_memory_usage: String(limits.mostMemoryBytes),
    max_result_rows: String(limits.mostRows),
    result_overflow_mode: 'throw',
    max_rows_to_read: String(limits.mostRowsRead),
    read_overflow_mode: 'throw',
    // A condition of one project, evaluated for the blocks of a part, must not affect what another project reads.
    use_query_condition_cache: 0,
    use_query_cache: 0,
    cancel_http_readonly_queries_on_client_close: 1,
    output_format_json_quote_64bit_integers: 1,
    output_format_write_statistics: 0,
    // Many readers of Arrow do not support LZ4, for example in JavaScript.
    output_format_arrow_compression_method: 'none',
  } as const satisfies ClickHouseSettings;
}
