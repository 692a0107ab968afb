interface Rows {
  readonly firstRow: number;
  readonly rows: number;
}

/** How many rows two ranges of a batch have in common. */
export function overlap(a: Rows, b: Rows): number {
  const start = Math.max(a.firstRow, b.firstRow);
  return Math.max(0, Math.min(a.firstRow + a.rows, b.firstRow + b.rows) - start);
}
