import { readRows } from '@tickrate/events';
import type { Chunk, SealedBatch } from '@tickrate/pipeline';
import { keptRows } from '../delivery/batch-body.ts';

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
  readonly readable: ReadableRows | null;
}

interface ReadableRows {
  readonly bytes: Buffer;
  /** The offsets of all rows and of the end. */
  readonly starts: readonly number[];
  readonly types: readonly string[];
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
      const readable = bytes === null ? null : readableRows(bytes, sealed.rows);
      table.push({ chunk, firstRow, rows: sealed.rows, readable });
    }
    firstRow += sealed.rows;
  }
  return { chunks: table };
}

export interface RowSlice {
  readonly chunk: Chunk;
  readonly firstRow: number;
  readonly rows: number;
  readonly bytes: Buffer;
  /** Of each row. */
  readonly types: readonly string[];
}

/** The rows from `firstRow` on, by chunk; chunks that cannot be read are not among them. */
export function sliceRows(
  table: RowTable,
  part: { readonly firstRow: number; readonly rows: number },
): RowSlice[] {
  const slices: RowSlice[] = [];
  for (const { chunk, firstRow, rows, readable } of table.chunks) {
    const from = Math.max(0, part.firstRow - firstRow);
    const to = Math.min(rows, part.firstRow + part.rows - firstRow);
    if (readable === null || from >= to) continue;
    const bytes = readable.bytes.subarray(readable.starts[from], readable.starts[to]);
    const types = readable.types.slice(from, to);
    slices.push({ chunk, firstRow: firstRow + from, rows: to - from, bytes, types });
  }
  return slices;
}

/** Null when there are not exactly as many rows as there should be. */
function readableRows(bytes: Buffer, count: number): ReadableRows | null {
  const starts: number[] = [];
  const types: string[] = [];
  try {
    for (const row of readRows(bytes)) {
      starts.push(row.start);
      types.push(row.type);
    }
  } catch {
    return null;
  }
  return starts.length === count ? { bytes, starts: [...starts, bytes.length], types } : null;
}
