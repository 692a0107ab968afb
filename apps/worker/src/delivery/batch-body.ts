import { compressRows, inflateRows, type SealedBatch, type SealedChunk } from '@tickrate/pipeline';

/**
 * The frames of a batch in the order of the insert, unchanged: together they are one zstd stream of rows. Only a chunk
 * with dropped runs is inflated, cut and compressed again. Chunks without a frame are left out.
 */
export async function batchBody(
  batch: SealedBatch,
  frames: ReadonlyMap<string, Uint8Array>,
): Promise<Uint8Array[]> {
  const body: Uint8Array[] = [];
  for (const chunk of batch.chunks) {
    const frame = frames.get(chunk.id);
    if (frame === undefined || chunk.rows === 0) continue;
    body.push(chunk.drops.length === 0 ? frame : await compressRows([await keptRows(chunk, frame)]));
  }
  return body;
}

/** The inflated rows of a chunk without its dropped runs. Rejects when the frame cannot be inflated. */
export async function keptRows(chunk: SealedChunk, frame: Uint8Array): Promise<Buffer> {
  const rows = await inflateRows(frame);
  const kept: Buffer[] = [];
  let at = 0;
  for (const drop of chunk.drops) {
    kept.push(rows.subarray(at, drop.start));
    at = drop.start + drop.length;
  }
  return kept.length === 0 ? rows : Buffer.concat([...kept, rows.subarray(at)]);
}
