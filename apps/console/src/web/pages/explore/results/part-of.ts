/** A row of an analysis with a split. */
export interface SplitRow {
  readonly split?: string | null;
  readonly isRest?: boolean;
}

/** The events that a row of a split counts. The rest are those with none of the values of the other rows. */
export function partOf(member: string, rows: readonly SplitRow[], row: SplitRow) {
  if (row.isRest !== true) return { member, values: [row.split ?? null], isRest: false };
  const values = rows.flatMap(({ split, isRest }) => (isRest === true ? [] : [split ?? null]));
  return { member, values: [...new Set(values)], isRest: true };
}
