import type { Call, ClickHouse } from '../clickhouse.ts';
import { WarehouseFault } from '../warehouse-fault.ts';
import { checkCanonicalSql, withDatabase } from './canonical-sql.ts';
import { checkQueryTree, type QueryRefusal } from './check-query-tree.ts';
import { type QueryFaultReason, readQueryFault } from './query-fault.ts';

export type Confinement =
  /** The SQL to run, as ClickHouse itself wrote it down: what was looked at, to the letter. */
  | { readonly kind: 'allowed'; readonly sql: string }
  | {
      readonly kind: 'refused';
      readonly reason: QueryRefusal['reason'] | QueryFaultReason;
      readonly message: string;
    };

export interface ConfinedSql {
  readonly sql: string;
  /** What the SQL calls the database of its tables. */
  readonly written: string;
  /** The one that they are in. */
  readonly database: string;
  readonly mostCost: number;
}

/**
 * Lets ClickHouse's own parser read the SQL, as a text and without running anything, and looks at what it understood.
 * Rejects with a WarehouseFault when ClickHouse is away.
 */
export async function confineQuery(
  clickhouse: ClickHouse,
  { sql, written, database, mostCost }: ConfinedSql,
  call: Call,
): Promise<Confinement> {
  try {
    const sqlParameter = { ...call, parameters: { sql } };
    const [formatted] = await clickhouse.rows<{ sql: string }>(
      'SELECT formatQuery({sql:String}) AS sql',
      sqlParameter,
    );
    const canonical = withDatabase(formatted?.sql ?? '', written, database);
    const refusal = checkCanonicalSql(canonical);
    if (refusal !== null) return { kind: 'refused', ...refusal };
    // In a subquery an explanation takes nothing but a SELECT, without FORMAT and INTO OUTFILE.
    const explained = await clickhouse.rows<{ explain: string }>(
      `SELECT explain FROM (EXPLAIN QUERY TREE run_passes = 0 ${canonical}\n)`,
      call,
    );
    const outside = checkQueryTree(
      explained.map(({ explain }) => explain),
      { database, mostCost },
    );
    return outside === null ? { kind: 'allowed', sql: canonical } : { kind: 'refused', ...outside };
  } catch (error) {
    if (!(error instanceof WarehouseFault)) throw error;
    const fault = readQueryFault(error.code, error.message, sql);
    if (fault.kind !== 'refused') throw error;
    return fault;
  }
}
