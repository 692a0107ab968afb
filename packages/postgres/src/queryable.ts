/** Runs statements: on any connection, or on that of one transaction. */
export interface Queryable {
  /**
   * Resolves with the rows. A text with values must be a constant, because each connection keeps its plan. Rejects with
   * PostgresUnavailable, or with the error of the server if the statement can never succeed: see `outcomeOf`.
   */
  query<Row extends object>(sql: string, values?: readonly unknown[]): Promise<Row[]>;
}

/** The SQL of the time in a column, in milliseconds as `Date` counts them. */
export function milliseconds(column: string): string {
  return `floor(extract(epoch FROM ${column}) * 1000)::float8`;
}
