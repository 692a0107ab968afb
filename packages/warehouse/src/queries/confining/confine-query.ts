import type { Call, ClickHouse } from '../../clickhouse.ts';
import { WarehouseFault } from '../../warehouse-fault.ts';
import { type QueryFaultReason, readQueryFault } from '../query-fault.ts';
import { mostQueryBytes } from '../query-limits.ts';
import { type Catalogue, mostTables, withCatalogue } from './catalogue.ts';
import { checkQueryTree, type QueryRefusal } from './check-query-tree.ts';
import { namesState } from './made-states.ts';
import { withLenientCasts } from './member-conversions.ts';

export type Confinement =
  /** The SQL to run, in the exact form that ClickHouse wrote and that was checked. */
  | { readonly kind: 'allowed'; readonly sql: string }
  | {
      readonly kind: 'refused';
      readonly reason: QueryRefusal['reason'] | QueryFaultReason;
      readonly message: string;
    };

export interface ConfinedSql {
  readonly sql: string;
  /** The database name in the SQL. */
  readonly written: string;
  /** The database of the tables. */
  readonly database: string;
  /** Without it, the tables of `system` are refused. */
  readonly catalogue?: Catalogue | undefined;
}

/**
 * Parses the SQL with ClickHouse's own parser, without running it, and checks the result. Rejects with a WarehouseFault
 * if ClickHouse is unavailable.
 */
export async function confineQuery(
  clickhouse: ClickHouse,
  { sql, written, database, catalogue }: ConfinedSql,
  call: Call,
): Promise<Confinement> {
  // A position counts only while ClickHouse parses the author's text, and not our explanation of it.
  let isParsed = true;
  try {
    const sqlParameter = { ...call, parameters: { sql } };
    const [formatted] = await clickhouse.rows<{ sql: string }>(
      'SELECT formatQuery({sql:String}) AS sql',
      sqlParameter,
    );
    isParsed = false;
    const named = catalogue ? withCatalogue(formatted?.sql ?? '', catalogue) : (formatted?.sql ?? '');
    if (named === null || named.length > mostQueryBytes) {
      const message = `a statement reads at most ${mostTables} tables of \`system\``;
      return { kind: 'refused', reason: 'construct', message };
    }
    const canonical = withLenientCasts(withDatabase(named, written, database));
    const refusal = checkCanonicalSql(canonical);
    if (refusal !== null) return { kind: 'refused', ...refusal };
    // In a subquery, EXPLAIN accepts only a SELECT without FORMAT and INTO OUTFILE.
    const explained = await clickhouse.rows<{ explain: string }>(
      `SELECT explain FROM (EXPLAIN QUERY TREE run_passes = 0 ${canonical}\n)`,
      { ...call, settings: { max_query_size: String(mostQueryBytes) } },
    );
    const outside = checkQueryTree(
      explained.map(({ explain }) => explain),
      database,
    );
    return outside === null ? { kind: 'allowed', sql: canonical } : { kind: 'refused', ...outside };
  } catch (error) {
    if (!(error instanceof WarehouseFault)) throw error;
    const fault = readQueryFault(error.code, error.message, { sql, isParsed });
    if (fault.kind !== 'refused') throw error;
    return fault;
  }
}

/**
 * Checks SQL in the form that ClickHouse's formatQuery() writes: no comments, texts in '…', quoted names in `…`, a
 * backslash before special characters in either. Rejects names that could look like a part of an explanation,
 * placeholders for names, whose values are not checked, and placeholders for states of aggregate functions.
 */
function checkCanonicalSql(sql: string): QueryRefusal | null {
  if (!/^[(\s]*(SELECT|WITH)\b/.test(sql)) return { reason: 'notSelect', message: 'only SELECT is allowed' };
  const withoutTexts = sql.replace(/'(?:[^'\\]|\\.)*'/gs, "''");
  const quoted = withoutTexts.match(/`(?:[^`\\]|\\.)*`/gs) ?? [];
  const bad = quoted.find((name) => /[\\\p{Cc}:,]/u.test(name));
  if (bad !== undefined) return { reason: 'name', message: `${bad} is not an allowed name in a query` };
  const rest = withoutTexts.replace(/`[^`]*`/g, '_');
  if (/\nFORMAT \w+\s*$/.test(rest) && !/\bINTO OUTFILE\b/.test(rest)) {
    return { reason: 'construct', message: 'leave FORMAT out: use the member `format`' };
  }
  if (/["`\\]/.test(rest)) return { reason: 'construct', message: 'the query cannot be understood' };
  if (/\{[^}]*:\s*Identifier\b[^}]*\}/.test(rest)) {
    return { reason: 'name', message: 'a parameter cannot be a name' };
  }
  if (namesState(withoutTexts)) return { reason: 'construct', message: 'a parameter cannot be a state' };
  return null;
}

/**
 * Replaces the database in front of names: a query with `project_….\`match.won\`` then also works for callers who read
 * other views. It runs before all checks, so the result is checked.
 */
function withDatabase(sql: string, written: string, database: string): string {
  if (written === database) return sql;
  return sql.replace(/'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`|[A-Za-z_]\w*(?=\.)/gs, (part) =>
    part === written ? database : part,
  );
}
