import { PostgresUnavailable, type Queryable } from '@tickrate/postgres';
import { type SealableChunk, sealArguments } from './seal-arguments.ts';
import { readDrops, type SealedBatch } from './sealed-batch.ts';

export interface SealOutcome {
  /** The batch that this call sealed. Null if every chunk was sealed before. */
  readonly won: SealedBatch | null;
  /** Chunks of other batches: they were delivered before. It is this batch if an answer was lost. */
  readonly elsewhere: readonly SealedElsewhere[];
}

export interface SealedElsewhere {
  readonly batchId: string;
  readonly stored: boolean;
  readonly chunkIds: readonly string[];
}

interface SealRow {
  readonly won: readonly number[];
  readonly drops: readonly (readonly number[])[];
  readonly lost: readonly number[] | null;
  readonly lost_batches: readonly (string | null)[] | null;
  readonly lost_stored: readonly boolean[] | null;
}

export interface Seal {
  readonly batchId: string;
  readonly chunks: readonly SealableChunk[];
  readonly keyLifetimeMs: number;
}

export async function sealBatch(db: Queryable, seal: Seal): Promise<SealOutcome> {
  const { batchId, chunks, keyLifetimeMs } = seal;
  const rows = await db.query<SealRow>(
    `SELECT * FROM delivery.seal($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13,
                                 make_interval(secs => $14::float8 / 1000))`,
    [...sealArguments(batchId, chunks), keyLifetimeMs],
  );
  const [row] = rows;
  if (row === undefined) throw new Error('delivery.seal returned no row');
  return { won: readWon(batchId, chunks, row), elsewhere: readElsewhere(chunks, row) };
}

function readWon(batchId: string, chunks: readonly SealableChunk[], row: SealRow): SealedBatch | null {
  if (row.won.length === 0) return null;
  const drops = readDrops(row.drops, row.won.length);
  const sealed = row.won.map((place, index) => {
    const { id, count } = chunkAt(chunks, place);
    const dropped = drops[index] ?? [];
    return { id, rows: dropped.reduce((left, drop) => left - drop.count, count), drops: dropped };
  });
  const total = sealed.reduce((sum, chunk) => sum + chunk.rows, 0);
  const fresh = { takenOver: false, ageMs: 0, fragments: [] };
  return { id: batchId, chunks: sealed, rows: total, stored: total === 0, ...fresh };
}

function readElsewhere(chunks: readonly SealableChunk[], row: SealRow): SealedElsewhere[] {
  const batches = new Map<string, { stored: boolean; chunkIds: string[] }>();
  for (const [index, place] of (row.lost ?? []).entries()) {
    const batchId = row.lost_batches?.[index];
    if (typeof batchId !== 'string') throw new PostgresUnavailable('conflict');
    const batch = batches.get(batchId) ?? { stored: row.lost_stored?.[index] === true, chunkIds: [] };
    batch.chunkIds.push(chunkAt(chunks, place).id);
    batches.set(batchId, batch);
  }
  return [...batches].map(([batchId, batch]) => ({ batchId, ...batch }));
}

function chunkAt(chunks: readonly SealableChunk[], place: number): SealableChunk {
  const chunk = chunks[place - 1];
  if (chunk === undefined) throw new RangeError(`the ledger named chunk ${place} of ${chunks.length}`);
  return chunk;
}
