import { randomBytes } from 'node:crypto';
import { zstdCompressSync } from 'node:zlib';
import type { Chunk } from './chunk.ts';
import { chunkIdOf } from './parcel.ts';

/** A UUIDv7 of the time `ms`, for tests. */
export function sampleId(ms: number): string {
  const time = ms.toString(16).padStart(12, '0');
  const chance = randomBytes(9).toString('hex');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${chance.slice(0, 3)}-8${chance.slice(3, 6)}-${chance.slice(6, 18)}`;
}

/** A chunk whose rows are noise of `bytes`, for tests that store no row. */
export function sampleChunk(nowMs: number, some: Partial<Chunk> & { readonly bytes?: number } = {}): Chunk {
  const { bytes = 100, ...given } = some;
  return {
    id: sampleId(nowMs),
    projectId: 'p-0123456789ab',
    count: 3,
    idempotency: [{ key: 'retry-1', count: 2, start: 0, length: 60 }],
    frame: zstdCompressSync(randomBytes(bytes)),
    producer: 'gateway-1',
    position: { start: 0, settled: 0, voids: [] },
    ...given,
  };
}

/** Chunks with the ids of one parcel, each of a project of its own. */
export function sampleParcel(nowMs: number, counts: readonly number[]): Chunk[] {
  const parcelId = sampleId(nowMs);
  return counts.map((count, index) =>
    sampleChunk(nowMs, { id: chunkIdOf(parcelId, index), projectId: `p-${index}`, count, idempotency: [] }),
  );
}
