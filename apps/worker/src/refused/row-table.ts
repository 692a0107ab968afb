import { readRows } from '@tickrate/events';
import type { Chunk, SealedBatch } from '@tickrate/pipeline';
import { keptRows } from '../delivery/batch-body.ts';

/** The place of each row of a batch. Created only when ClickHouse rejected the batch. */
export interface RowTable {
  /** In the order of the insert, without missing chunks. */
  readonly chunks: readonly ChunkRows[];
}

export interface ChunkRows {
  readonly chunk: Chunk;
  /** The place of its first row within the batch. */
  readonly firstRow: number;
  readonly rows: number;
  /** Null if the frame does not contain the expected rows. */
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
  /** The project of each row. */
  readonly types: readonly string[];
}

/** The rows from `firstRow` on, by chunk, without unreadable chunks. */
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

/** Null unless the number of rows is exactly right. */
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
