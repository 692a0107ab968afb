/** The composition of a batch, which the ledger fixed before its first row was inserted. */
export interface SealedBatch {
  readonly id: string;
  /** In the order of the insert. */
  readonly chunks: readonly SealedChunk[];
  /** The rows to insert: those of the chunks, without the dropped runs. */
  readonly rows: number;
  readonly stored: boolean;
  /** Whether `takeOver` was called for it: other workers than the one that sealed it may have inserted rows. */
  readonly takenOver: boolean;
  /** Since the seal, by the database's clock. */
  readonly ageMs: number;
  /** Empty while ClickHouse has refused nothing. */
  readonly fragments: readonly Fragment[];
}

export interface SealedChunk {
  readonly id: string;
  /** Its rows that are inserted. */
  readonly rows: number;
  /** Byte ranges of the inflated frame that are left out, in order, because their idempotency key occurred before. */
  readonly drops: readonly DroppedRun[];
}

export interface DroppedRun {
  readonly start: number;
  readonly length: number;
  readonly count: number;
}

/** A part of a batch with its own deduplication token: the id of the batch and the path. */
export interface Fragment {
  /** '' is the whole batch, '/0' and '/1' are its parts, and '/1/0' is a part of a part. */
  readonly path: string;
  readonly firstRow: number;
  readonly rows: number;
  readonly state: FragmentState;
}

export type FragmentState = 'open' | 'split' | 'stored' | 'dead';

export interface BatchRow extends Omit<SealedBatch, 'chunks'> {
  readonly chunkIds: readonly string[];
  readonly chunkRows: readonly number[];
  readonly drops: readonly (readonly number[])[];
}

export function readSealedBatch({ chunkIds, chunkRows, drops, ...batch }: BatchRow): SealedBatch {
  const dropped = readDrops(drops, chunkIds.length);
  const chunks = chunkIds.map((id, index) => ({
    id,
    rows: chunkRows[index] ?? 0,
    drops: dropped[index] ?? [],
  }));
  return { ...batch, chunks };
}

/** The ledger keeps drops as rows of (index of chunk, start, length, rows). */
export function readDrops(drops: readonly (readonly number[])[], chunks: number): DroppedRun[][] {
  const byChunk: DroppedRun[][] = Array.from({ length: chunks }, () => []);
  for (const [index = -1, start = 0, length = 0, count = 0] of drops) {
    byChunk[index]?.push({ start, length, count });
  }
  return byChunk;
}
