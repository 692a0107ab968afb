/** The SQL of the time in a column, in milliseconds as `Date` counts them. */
export function milliseconds(column: string): string {
  return `floor(extract(epoch FROM ${column}) * 1000)::float8`;
}
