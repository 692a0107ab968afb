import type { ClickHouse } from '../../clickhouse.ts';

/** More than the longest statement of a view has: declarations are bounded. */
const settings = { max_query_size: '16777216', max_ast_elements: '200000' } as const;

/** Runs a statement that makes a view. The server's own words of a fault would quote who declared the type. */
export function makeView(clickhouse: ClickHouse, statement: string, timeoutMs: number): Promise<void> {
  return clickhouse.command(statement, {
    timeoutMs,
    settings,
    refusal: 'it did not make the view of an event type',
  });
}
