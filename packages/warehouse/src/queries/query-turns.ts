import { setTimeout as delay } from 'node:timers/promises';
import type { ClickHouse } from '../clickhouse.ts';
import type { WarehousePlace } from '../events-table.ts';
import { quoteString } from '../quote.ts';
import { projectDatabase } from '../typed-view.ts';
import { WarehouseFault } from '../warehouse-fault.ts';

/** A query's right to run. */
export interface QueryTurn {
  /** A comment that the query begins with, by which it is found at the server. */
  readonly mark: string;
  /** Gives the turn back: at once when the query has ended, else when the server does not run it any more. */
  release(how: { readonly hasEnded: boolean }): void;
}

/** How many queries each project runs. */
export interface QueryTurns {
  /** Null when there is none left. */
  take(projectId: string): QueryTurn | null;
}

export interface QueryTurnsOptions {
  readonly place: WarehousePlace;
  readonly timeoutMs: number;
  readonly mostAtOnce: number;
}

const firstPauseMs = 50;
const longestPauseMs = 2_000;

/**
 * ClickHouse looks whether a query has to end only between blocks of rows, and some functions take hours for one. Such
 * a query keeps its turn, whoever has left it: a project that sends it again and again does not take the whole server.
 */
export function createQueryTurns(clickhouse: ClickHouse, options: QueryTurnsOptions): QueryTurns {
  const running = new Map<string, number>();
  let count = 0;

  function give(projectId: string): void {
    const left = (running.get(projectId) ?? 0) - 1;
    if (left > 0) running.set(projectId, left);
    else running.delete(projectId);
  }

  return {
    take(projectId) {
      const before = running.get(projectId) ?? 0;
      if (before >= options.mostAtOnce) return null;
      running.set(projectId, before + 1);
      count += 1;
      // Another process may use the same: what it waits for then is a query of the same project.
      const mark = `/* ${projectDatabase(projectId)} ${count} */`;
      return {
        mark,
        release({ hasEnded }) {
          if (hasEnded) give(projectId);
          else void whenEnded(clickhouse, options, mark).then(() => give(projectId));
        },
      };
    },
  };
}

/** Resolves when the server does not run the query any more, or never tells. Never rejects. */
async function whenEnded(clickhouse: ClickHouse, options: QueryTurnsOptions, mark: string): Promise<void> {
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
    await delay(pauseMs, undefined, { ref: false });
    if (!(await isRunning(clickhouse, options, mark))) return;
  }
}

async function isRunning(
  clickhouse: ClickHouse,
  { place, timeoutMs }: QueryTurnsOptions,
  mark: string,
): Promise<boolean> {
  const source =
    place.cluster === null
      ? 'system.processes'
      : `clusterAllReplicas(${quoteString(place.cluster)}, system.processes)`;
  const sql = `SELECT 1 AS found FROM ${source} WHERE startsWith(query, ${quoteString(mark)}) LIMIT 1`;
  try {
    return (await clickhouse.rows(sql, { timeoutMs })).length > 0;
  } catch (error) {
    // A server that is too busy to answer may be so because of this query; one that is away runs nothing.
    return error instanceof WarehouseFault && error.code === 'TIMEOUT';
  }
}
