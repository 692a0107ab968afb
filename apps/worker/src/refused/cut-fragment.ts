import type { FragmentPart } from '@tickrate/pipeline';
import type { RowTable } from './row-table.ts';

export type Cut =
  /** Try these parts by themselves. */
  | { readonly kind: 'split'; readonly parts: readonly FragmentPart[] }
  /** Nothing smaller is worth trying: keep the rows as dead letters. */
  | { readonly kind: 'bury'; readonly reason: 'refusedRow' | 'refusedRows' | 'unreadableChunk' };

/**
 * How a part is cut. `named`: around the row that ClickHouse names. `halves`: in halves while it is large, because there
 * are many bad rows, and each cut around one of them sends the rest again. `projects`: only where one project's rows end.
 */
export type CutMode = 'named' | 'halves' | 'projects';

const fewRows = 256;

/**
 * What becomes of a part that ClickHouse refused. The same for the same part and answer, on every worker.
 * `refusedRow` is where ClickHouse stopped reading, counted from the part's first row: that row, or one before it,
 * is at fault, so it is tried by itself before it is believed.
 */
export function cutFragment(
  table: RowTable,
  part: FragmentPart,
  { refusedRow, mode }: { readonly refusedRow: number | null; readonly mode: CutMode },
): Cut {
  const unreadable = cutOutUnreadable(table, part);
  if (unreadable !== null) {
    return unreadable.length === 1
      ? { kind: 'bury', reason: 'unreadableChunk' }
      : { kind: 'split', parts: unreadable };
  }
  if (part.rows === 1) return { kind: 'bury', reason: 'refusedRow' };
  if (mode === 'projects') {
    const border = projectBorder(table, part);
    return border === null
      ? { kind: 'bury', reason: 'refusedRows' }
      : { kind: 'split', parts: partsAt(part, [border]) };
  }
  const isSmall = mode === 'named' || part.rows <= fewRows;
  if (isSmall && refusedRow !== null && refusedRow >= 0 && refusedRow < part.rows) {
    return { kind: 'split', parts: partsAt(part, [refusedRow, refusedRow + 1]) };
  }
  return { kind: 'split', parts: partsAt(part, [Math.ceil(part.rows / 2)]) };
}

/** Parts with and without an unreadable chunk; null when the part has none. */
function cutOutUnreadable(table: RowTable, part: FragmentPart): FragmentPart[] | null {
  const borders: number[] = [];
  for (const { firstRow, rows, readable } of table.chunks) {
    const from = firstRow - part.firstRow;
    if (readable === null && from < part.rows && from + rows > 0) borders.push(from, from + rows);
  }
  return borders.length === 0 ? null : partsAt(part, borders);
}

/** Where rows of one project end and those of another begin, nearest to the middle; null when all are of one. */
function projectBorder(table: RowTable, part: FragmentPart): number | null {
  const inside = table.chunks.filter(
    ({ firstRow, rows }) => firstRow < part.firstRow + part.rows && firstRow + rows > part.firstRow,
  );
  const borders = inside.flatMap(({ chunk, firstRow }, index) => {
    const before = inside[index - 1];
    return before === undefined || before.chunk.projectId === chunk.projectId
      ? []
      : [firstRow - part.firstRow];
  });
  const fromMiddle = (border: number) => Math.abs(border - part.rows / 2);
  return borders.toSorted((a, b) => fromMiddle(a) - fromMiddle(b))[0] ?? null;
}

/** Cuts a part at offsets from its first row; what would be empty is left out. */
function partsAt(part: FragmentPart, offsets: readonly number[]): FragmentPart[] {
  const borders = [0, ...offsets, part.rows].map((offset) => Math.min(part.rows, Math.max(0, offset)));
  return borders.slice(1).flatMap((end, index) => {
    const start = borders[index] ?? 0;
    return end > start ? [{ firstRow: part.firstRow + start, rows: end - start }] : [];
  });
}
