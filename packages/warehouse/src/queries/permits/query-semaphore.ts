import { setTimeout as delay } from 'node:timers/promises';
import type { ClickHouse } from '../../clickhouse.ts';
import { quoteString } from '../../quote.ts';
import { systemTable, type WarehousePlace } from '../../table/events-table.ts';
import { projectDatabase } from '../../views/typed-view.ts';
import { WarehouseFault } from '../../warehouse-fault.ts';

/** The permit of a query. */
export interface QueryPermit {
  /** A comment at the start of the query, which identifies it at the server. */
  readonly mark: string;
  /** Call it when the query itself is sent. Its time starts here. */
  send(): void;
  /**
   * Frees the permit: immediately if the query has ended, else when the server no longer runs it. A late query ran longer
   * than its limit.
   */
  release(query: { readonly hasEnded: boolean; readonly isLate?: boolean }): void;
}

/** The number of concurrent queries per owner. */
export interface QuerySemaphore {
  /** Null if the owner has reached its limit, or runs a query while all owners together have reached theirs. */
  acquire(who: { readonly owner: string; readonly projectId: string }): QueryPermit | null;
}

export interface QuerySemaphoreOptions {
  readonly place: WarehousePlace;
  readonly timeoutMs: number;
  readonly mostAtOnce: number;
  /** The limit of all owners together. An owner without a running query may exceed it by one query. */
  readonly mostAtOnceOverall: number;
  /** A query that the server still runs then is late, and is killed. */
  readonly killAfterMs: number;
  readonly now: () => number;
  /** Called once for each query when its permit is free again. */
  readonly onEnded: (owner: string, ranMs: number) => void;
  /** Called for each query that the server cannot interrupt, as soon as this is known. */
  readonly onLate: (owner: string) => void;
}

const firstPauseMs = 50;
const longestPauseMs = 1_000;

/**
 * ClickHouse checks for cancellation only between blocks of rows, and some functions take hours for one block. Such a
 * query keeps its permit even if its caller has disconnected, so an owner that repeats it does not use the whole
 * server.
 */
export function createQuerySemaphore(clickhouse: ClickHouse, options: QuerySemaphoreOptions): QuerySemaphore {
  const { mostAtOnce, mostAtOnceOverall, now, onEnded, onLate } = options;
  const running = new Map<string, number>();
  let count = 0;
  let overall = 0;

  function free(owner: string, startedAt: number): void {
    overall -= 1;
    const left = (running.get(owner) ?? 0) - 1;
    if (left > 0) running.set(owner, left);
    else running.delete(owner);
    onEnded(owner, now() - startedAt);
  }

  return {
    acquire({ owner, projectId }) {
      const before = running.get(owner) ?? 0;
      if (before >= mostAtOnce || (before > 0 && overall >= mostAtOnceOverall)) return null;
      overall += 1;
      running.set(owner, before + 1);
      count += 1;
      let startedAt = now();
      // Another process can use the same mark: it then waits for a query of the same project.
      const mark = `/* ${projectDatabase(projectId)} ${count} */`;
      return {
        mark,
        send() {
          startedAt = now();
        },
        release({ hasEnded, isLate = false }) {
          if (isLate) onLate(owner);
          const query = { mark, startedAt, onLate: () => isLate || onLate(owner) };
          if (hasEnded) free(owner, startedAt);
          else void whenEnded(clickhouse, options, query).then(() => free(owner, startedAt));
        },
      };
    },
  };
}

interface RunningQuery {
  readonly mark: string;
  readonly startedAt: number;
  readonly onLate: () => void;
}

/** Resolves when the server no longer runs the query or does not answer. Never rejects. */
async function whenEnded(
  clickhouse: ClickHouse,
  options: QuerySemaphoreOptions,
  { mark, startedAt, onLate }: RunningQuery,
): Promise<void> {
  let isLate = false;
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
    await delay(pauseMs, undefined, { ref: false });
    const isOver = !(await isRunning(clickhouse, options, mark));
    if (!isLate && options.now() - startedAt >= options.killAfterMs) {
      isLate = true;
      onLate();
      if (!isOver) await kill(clickhouse, options, mark);
    }
    if (isOver) return;
  }
}

async function isRunning(
  clickhouse: ClickHouse,
  { place, timeoutMs }: QuerySemaphoreOptions,
  mark: string,
): Promise<boolean> {
  const sql = `SELECT 1 AS found FROM ${systemTable(place, 'processes')} WHERE startsWith(query, ${quoteString(mark)}) LIMIT 1`;
  try {
    return (await clickhouse.rows(sql, { timeoutMs })).length > 0;
  } catch (error) {
    // A server that is too busy to answer may still run this query. An unavailable server runs none.
    return error instanceof WarehouseFault && error.code === 'TIMEOUT';
  }
}

async function kill(
  clickhouse: ClickHouse,
  { place, timeoutMs }: QuerySemaphoreOptions,
  mark: string,
): Promise<void> {
  const on = place.cluster === null ? '' : ` ON CLUSTER ${quoteString(place.cluster)}`;
  const sql = `KILL QUERY${on} WHERE startsWith(query, ${quoteString(mark)}) ASYNC`;
  await clickhouse.command(sql, { timeoutMs }).catch(() => undefined);
}
