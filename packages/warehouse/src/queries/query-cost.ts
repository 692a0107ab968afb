import type { ClickHouse } from '../clickhouse.ts';
import { projectDatabase } from '../views/typed-view.ts';

/** The cost of a query. It depends only on rows of its project. */
export interface QueryCost {
  /** Time at the database. */
  readonly ms: number;
  /**
   * The project's rows in the tables that the query names: ClickHouse read no more of the project. The number that it
   * reads would also count rows of other projects, which are stored between them.
   */
  readonly rows: number;
}

/** Counts the project's rows in the tables that the SQL names. Never rejects. */
export type CountTableRows = (projectId: string, sql: string) => Promise<number>;

interface Counted {
  readonly atMs: number;
  readonly byType: Promise<ReadonlyMap<string, number>>;
}

const keptMs = 60_000;
const mostProjects = 1_000;

/** Counts each project at most once a minute. */
export function createCountTableRows(
  clickhouse: ClickHouse,
  { timeoutMs, now }: { readonly timeoutMs: number; readonly now: () => number },
): CountTableRows {
  const counted = new Map<string, Counted>();

  async function read(projectId: string): Promise<ReadonlyMap<string, number>> {
    const sql = 'SELECT type, toFloat64(count()) AS n FROM events GROUP BY type';
    const call = { timeoutMs, database: projectDatabase(projectId) };
    const rows = await clickhouse.rows<{ type: string; n: number }>(sql, call);
    return new Map(rows.map(({ type, n }) => [type, n]));
  }

  return async (projectId, sql) => {
    const kept = counted.get(projectId);
    const isFresh = kept !== undefined && now() - kept.atMs < keptMs;
    const current = isFresh ? kept : { atMs: now(), byType: read(projectId) };
    if (!isFresh) {
      if (counted.size >= mostProjects) counted.clear();
      counted.set(projectId, current);
    }
    try {
      return rowsOf(sql, await current.byType);
    } catch {
      counted.delete(projectId);
      return 0;
    }
  };
}

/** In the canonical form, names and texts have different quotes. */
function rowsOf(sql: string, byType: ReadonlyMap<string, number>): number {
  const names = new Set(sql.replace(/'(?:[^'\\]|\\.)*'/gs, "''").match(/`[^`]*`|[A-Za-z_]\w*/g));
  const isNamed = (name: string) => names.has(name) || names.has(`\`${name}\``);
  const types = [...byType].filter(([type]) => isNamed('events') || isNamed(type));
  return types.reduce((sum, [, rows]) => sum + rows, 0);
}
