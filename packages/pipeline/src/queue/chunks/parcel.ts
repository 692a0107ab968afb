import { type Chunk, type ChunkJob, decodeChunkJob, encodeChunkJob } from './chunk.ts';

/**
 * Chunks that share one job, because a job costs the same for one chunk as for many. For the ledger, each is a separate
 * chunk. The ids of chunks in one job differ only in six bits, so each id gives the id of the job.
 */
export interface ParcelJob {
  readonly id: string;
  /** `project:rows:start:producer` of each chunk, separated by commas. */
  readonly name: string;
  readonly data: ChunkJob['data'] | { readonly v: 2; readonly c: readonly ChunkJob['data'][] };
}

export const mostChunksOfParcel = 32;

/**
 * The place is the last six of the twelve bits after the version of a UUIDv7. In text, these are the 17th and 18th
 * characters.
 */
const placeBits = 0x3f;
const placeAt = 16;

/** The id of the job that contains the chunk together with others. */
export function parcelIdOf(chunkId: string): string {
  return withPlace(chunkId, 0);
}

/** The id of the chunk at `index` of a parcel. */
export function chunkIdOf(parcelId: string, index: number): string {
  return withPlace(parcelId, index + 1);
}

/** The same for an id in the form of the store. */
export function writeChunkPlace(id: Uint8Array, index: number): void {
  id[0] = ((id[0] ?? 0) & ~placeBits) | (index + 1);
}

/** A single chunk is a job with its own id. Throws if several chunks do not have the ids of one parcel. */
export function encodeParcel(chunks: readonly Chunk[]): ParcelJob {
  const [first] = chunks;
  if (first === undefined) throw new RangeError('A parcel needs at least one chunk');
  if (chunks.length === 1) return { id: first.id, ...encodeChunkJob(first) };
  const id = parcelIdOf(first.id);
  if (chunks.some((chunk, index) => chunk.id !== chunkIdOf(id, index)))
    throw new RangeError('The chunks do not have the ids of one parcel');
  const jobs = chunks.map(encodeChunkJob);
  return { id, name: namesOf(jobs), data: { v: 2, c: jobs.map(({ data }) => data) } };
}

export function decodeParcel(id: string, name: string, data: unknown) {
  const parts = isMany(data) ? data.c : null;
  const names = splitNames(name).slice(0, mostChunksOfParcel);
  const decoded =
    parts === null
      ? [decodeChunkJob(id, name, data)]
      : Array.from({ length: Math.max(parts.length, names.length) }, (_, index) =>
          decodeChunkJob(chunkIdOf(id, index), names[index] ?? '', parts[index]),
        );
  return {
    chunks: decoded.filter((part) => part.ok).map(({ chunk }) => chunk),
    malformed: decoded.filter((part) => !part.ok).map(({ malformed }) => malformed),
  };
}

export function splitNames(name: string): string[] {
  return name.split(',');
}

/** The size of a job in the queue. */
export function parcelBytes({ data }: Pick<ParcelJob, 'data'>): number {
  return data.v === 1 ? data.z.length : data.c.reduce((sum, { z }) => sum + z.length, 0);
}

function namesOf(jobs: readonly ChunkJob[]): string {
  return jobs.map(({ name }) => name).join(',');
}

function isMany(data: unknown): data is { readonly c: readonly unknown[] } {
  if (typeof data !== 'object' || data === null) return false;
  const { v, c } = data as { v?: unknown; c?: unknown };
  return v === 2 && Array.isArray(c) && c.length <= mostChunksOfParcel;
}

function withPlace(id: string, place: number): string {
  const bits = (Number.parseInt(id.slice(placeAt, placeAt + 2), 16) & ~placeBits) | place;
  return `${id.slice(0, placeAt)}${bits.toString(16).padStart(2, '0')}${id.slice(placeAt + 2)}`;
}
