import type { FragmentPart } from '@tickrate/pipeline';
import type { RowTable } from './row-table.ts';

export type Cut =
  /** Try these parts by themselves. */
  | { readonly kind: 'split'; readonly parts: readonly FragmentPart[] }
  /** Nothing smaller is worth trying: keep the rows as dead letters. */
  | { readonly kind: 'bury'; readonly reason: 'refusedRow' | 'refusedRows' | 'unreadableChunk' };

/**
 * What becomes of a part that ClickHouse refused. The same for the same part and answer, on every worker.
 * `refusedRow` is where ClickHouse stopped reading, counted from the part's first row: that row, or one before it,
 * is at fault, so it is tried by itself before it is believed. `patient` is false once a batch cost too many inserts.
 */
export function cutFragment(
  table: RowTable,
  part: FragmentPart,
  { refusedRow, patient }: { readonly refusedRow: number | null; readonly patient: boolean },
): Cut {
  const unreadable = cutOutUnreadable(table, part);
  if (unreadable !== null) {
    return unreadable.length === 1
      ? { kind: 'bury', reason: 'unreadableChunk' }
      : { kind: 'split', parts: unreadable };
  }
  if (part.rows === 1) return { kind: 'bury', reason: 'refusedRow' };
  if (!patient) return { kind: 'bury', reason: 'refusedRows' };
  if (refusedRow !== null && refusedRow >= 0 && refusedRow < part.rows) {
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

/** Cuts a part at offsets from its first row; what would be empty is left out. */
function partsAt(part: FragmentPart, offsets: readonly number[]): FragmentPart[] {
  const borders = [0, ...offsets, part.rows].map((offset) => Math.min(part.rows, Math.max(0, offset)));
  return borders.slice(1).flatMap((end, index) => {
    const start = borders[index] ?? 0;
    return end > start ? [{ firstRow: part.firstRow + start, rows: end - start }] : [];
  });
}
