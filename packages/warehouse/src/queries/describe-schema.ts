import type { ClickHouse } from '../clickhouse.ts';
import { envelopeColumns, personalColumns } from '../table/envelope-columns.ts';
import { describeTypedView, personalPaths, type TypedView } from '../views/typed-view.ts';
import { isAllowedFunction } from './confining/allowed-functions.ts';

export interface DescribedColumn {
  readonly name: string;
  /** In the syntax of ClickHouse. */
  readonly type: string;
  readonly comment: string;
}

export interface DescribedTable {
  readonly name: string;
  readonly comment: string;
  readonly columns: readonly DescribedColumn[];
}

export interface DescribedFunction {
  readonly name: string;
  readonly isAggregate: boolean;
  /** Empty if ClickHouse does not know it. */
  readonly syntax: string;
}

export function createSchemaDescriber(clickhouse: ClickHouse, { timeoutMs }: { readonly timeoutMs: number }) {
  let functions: readonly DescribedFunction[] | null = null;
  return {
    /**
     * The tables that a query can name: `events`, and one for each type. Without personal data if the caller may not see
     * it.
     */
    describeTables: (types: readonly TypedView[], sight: 'whole' | 'masked') => [
      eventsTableOf(types, sight),
      ...types.map((view) => describeTypedView(view, sight)),
    ],
    /** The functions that a query may call. Throws a WarehouseFault. */
    async describeFunctions(): Promise<readonly DescribedFunction[]> {
      functions ??= await readFunctions(clickhouse, timeoutMs);
      return functions;
    },
  };
}

function eventsTableOf(types: readonly TypedView[], sight: 'whole' | 'masked'): DescribedTable {
  const isWhole = sight === 'whole';
  const hasData = isWhole || !types.some(({ versions }) => personalPaths(versions).length > 0);
  const columns = [
    { name: 'type', type: 'String', comment: 'The name of the event type.' },
    ...envelopeColumns.filter(({ name }) => isWhole || !personalColumns.has(name)),
    ...(hasData ? [{ name: 'data', type: 'JSON', comment: 'The event.' }] : []),
  ];
  return { name: 'events', comment: 'All events of every type.', columns };
}

async function readFunctions(clickhouse: ClickHouse, timeoutMs: number): Promise<DescribedFunction[]> {
  const sql = `SELECT name, CAST(is_aggregate, 'Bool') AS isAggregate, trim(syntax) AS syntax FROM system.functions ORDER BY lower(name), name`;
  const rows = await clickhouse.rows<DescribedFunction>(sql, { timeoutMs });
  return rows.filter(({ name }) => isAllowedFunction(name));
}
