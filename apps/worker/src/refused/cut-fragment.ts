import type { FragmentPart } from '@tickrate/pipeline';
import type { RowTable } from './row-table.ts';
import { overlap } from './stored-before.ts';

export type Cut =
  /** Try these parts separately. */
  | { readonly kind: 'split'; readonly parts: readonly FragmentPart[] }
  /** Smaller parts gain nothing: keep the rows as dead letters. */
  | { readonly kind: 'bury'; readonly reason: 'refusedRow' | 'refusedRows' | 'unreadableChunk' };

/**
 * How a part is cut. `named`: around the row that ClickHouse names. `halves`: in halves while it is large, because with
 * many bad rows each cut around one of them sends the rest again. `projects`: only between the rows of two projects.
 */
export type CutMode = 'named' | 'halves' | 'projects';

const fewRows = 256;

/**
 * Decides about a part that ClickHouse rejected. The result is the same for the same part and answer, on every worker.
 * `refusedRow` is where ClickHouse stopped reading, counted from the part's first row. That row or the one before it is
 * bad, so it is tried alone first.
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

/** The parts with and without an unreadable chunk; null if the part has none. */
function cutOutUnreadable(table: RowTable, part: FragmentPart): FragmentPart[] | null {
  const borders: number[] = [];
  for (const { firstRow, rows, readable } of table.chunks) {
    const from = firstRow - part.firstRow;
    if (readable === null && from < part.rows && from + rows > 0) borders.push(from, from + rows);
  }
  return borders.length === 0 ? null : partsAt(part, borders);
}

/** The boundary between the rows of two projects that is nearest to the middle; null if all are of one. */
function projectBorder(table: RowTable, part: FragmentPart): number | null {
  const inside = table.chunks.filter((place) => overlap(part, place) > 0);
  const borders = inside.flatMap(({ chunk, firstRow }, index) => {
    const before = inside[index - 1];
    return before === undefined || before.chunk.projectId === chunk.projectId
      ? []
      : [firstRow - part.firstRow];
  });
  const fromMiddle = (border: number) => Math.abs(border - part.rows / 2);
  return borders.toSorted((a, b) => fromMiddle(a) - fromMiddle(b))[0] ?? null;
}

/** Cuts a part at offsets from its first row, without empty parts. */
function partsAt(part: FragmentPart, offsets: readonly number[]): FragmentPart[] {
  const borders = [0, ...offsets, part.rows].map((offset) => Math.min(part.rows, Math.max(0, offset)));
  return borders.slice(1).flatMap((end, index) => {
    const start = borders[index] ?? 0;
    return end > start ? [{ firstRow: part.firstRow + start, rows: end - start }] : [];
  });
}
