import type { ClickHouse } from '../../clickhouse.ts';

/** Larger than the longest statement of a view, because declarations are limited. */
const settings = { max_query_size: '16777216', max_ast_elements: '200000' } as const;

/**
 * Runs a statement that creates a view. A fault does not contain the server's text, which would quote the declaration.
 */
export function makeView(clickhouse: ClickHouse, statement: string, timeoutMs: number): Promise<void> {
  return clickhouse.command(statement, {
    timeoutMs,
    settings,
    refusal: 'it did not make the view of an event type',
  });
}
