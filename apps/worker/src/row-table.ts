import { readRows } from '@tickrate/contract';
import type { Chunk, SealedBatch } from '@tickrate/pipeline';
import { keptRows } from './batch-body.ts';

/** Where each row of a batch lies. Made only when ClickHouse refused the batch. */
export interface RowTable {
  /** In the order of the insert, without those that nobody has any more. */
  readonly chunks: readonly ChunkRows[];
}

export interface ChunkRows {
  readonly chunk: Chunk;
  /** Of its first row within the batch. */
  readonly firstRow: number;
  readonly rows: number;
  /** Null when the frame does not hold the rows that it should. */
  readonly readable: { readonly bytes: Buffer; readonly starts: readonly number[] } | null;
}

export async function readRowTable(
  batch: SealedBatch,
  chunks: ReadonlyMap<string, Chunk>,
): Promise<RowTable> {
  const table: ChunkRows[] = [];
  let firstRow = 0;
  for (const sealed of batch.chunks) {
    const chunk = chunks.get(sealed.id);
    if (chunk !== undefined && sealed.rows > 0) {
      const bytes = await keptRows(sealed, chunk.frame).catch(() => null);
      const starts = bytes === null ? null : rowStarts(bytes, sealed.rows);
      const readable = bytes === null || starts === null ? null : { bytes, starts };
      table.push({ chunk, firstRow, rows: sealed.rows, readable });
    }
    firstRow += sealed.rows;
  }
  return { chunks: table };
}

/** The rows from `firstRow` on, by chunk; chunks that cannot be read are not among them. */
export function sliceRows(table: RowTable, part: { readonly firstRow: number; readonly rows: number }) {
  const slices: { chunk: Chunk; firstRow: number; rows: number; bytes: Buffer }[] = [];
  for (const { chunk, firstRow, rows, readable } of table.chunks) {
    const from = Math.max(0, part.firstRow - firstRow);
    const to = Math.min(rows, part.firstRow + part.rows - firstRow);
    if (readable === null || from >= to) continue;
    const bytes = readable.bytes.subarray(readable.starts[from], readable.starts[to]);
    slices.push({ chunk, firstRow: firstRow + from, rows: to - from, bytes });
  }
  return slices;
}

/** The offsets of all rows and of the end; null when there are not exactly as many as there should be. */
function rowStarts(bytes: Buffer, count: number): number[] | null {
  const starts: number[] = [];
  try {
    for (const row of readRows(bytes)) starts.push(row.start);
  } catch {
    return null;
  }
  return starts.length === count ? [...starts, bytes.length] : null;
}
