/** Rows of one project on their way to ClickHouse: one job of the queue. */
export interface Chunk {
  /** UUIDv7; also the job's id, so that adding a chunk twice adds one job. */
  readonly id: string;
  readonly projectId: string;
  readonly count: number;
  readonly idempotency: readonly IdempotentRun[];
  /** One zstd frame of RowBinary rows. */
  readonly frame: Uint8Array;
  /** The gateway instance that made the chunk. */
  readonly producer: string;
}

/** Consecutive rows of a chunk that came with one idempotency key. */
export interface IdempotentRun {
  readonly key: string;
  readonly count: number;
  /** Byte range of the rows in the inflated frame. */
  readonly start: number;
  readonly length: number;
}

export interface ChunkJob {
  readonly name: string;
  readonly data: {
    readonly v: 1;
    readonly n: number;
    readonly p: string;
    readonly g: string;
    readonly i: readonly (readonly [string, number, number, number])[];
    readonly z: string;
  };
}

/** A job that holds no chunk. It is kept as a dead letter, never retried. */
export interface MalformedJob {
  readonly id: string;
  readonly reason: string;
  /** What the job's name still tells; null and 0 when it tells nothing. */
  readonly projectId: string | null;
  readonly count: number;
  readonly raw: string;
}

export type DecodedJob =
  | { readonly ok: true; readonly chunk: Chunk }
  | { readonly ok: false; readonly malformed: MalformedJob };

export function encodeChunkJob(chunk: Chunk): ChunkJob {
  const { frame } = chunk;
  return {
    name: `${chunk.projectId}:${chunk.count}`,
    data: {
      v: 1,
      n: chunk.count,
      p: chunk.projectId,
      g: chunk.producer,
      i: chunk.idempotency.map((run) => [run.key, run.count, run.start, run.length]),
      z: Buffer.from(frame.buffer, frame.byteOffset, frame.byteLength).toString('base64'),
    },
  };
}

export function decodeChunkJob(id: string, name: string, data: unknown): DecodedJob {
  const read = readChunk(id, data);
  if (typeof read !== 'string') return { ok: true, chunk: read };
  const named = readJobName(name);
  return {
    ok: false,
    malformed: {
      id,
      reason: read,
      projectId: named?.projectId ?? null,
      count: named?.count ?? 0,
      raw: JSON.stringify({ name, data }) ?? '',
    },
  };
}

/** A job's name tells how much of whom is waiting without reading the payload. */
export function readJobName(name: string): { projectId: string; count: number } | null {
  const match = /^([a-z0-9-]{1,64}):(\d{1,9})$/.exec(name);
  return match?.[1] === undefined ? null : { projectId: match[1], count: Number(match[2]) };
}

const uuidV7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

function readChunk(id: string, data: unknown): Chunk | string {
  if (!uuidV7.test(id)) return 'the job id is not a UUIDv7';
  if (typeof data !== 'object' || data === null) return 'the data is not an object';
  const { v, n, p, g, i, z } = data as Record<string, unknown>;
  if (v !== 1) return 'unknown version';
  if (!isCount(n) || n === 0) return 'n is not a count of rows';
  if (typeof p !== 'string' || readJobName(`${p}:0`) === null) return 'p is not a project id';
  if (typeof g !== 'string' || g === '' || g.length > 128) return 'g is not a producer';
  const idempotency = readRuns(i, n);
  if (typeof idempotency === 'string') return idempotency;
  const frame = readFrame(z);
  if (frame === null) return 'z is not a zstd frame in base64';
  return { id, projectId: p, count: n, idempotency, frame, producer: g };
}

function readRuns(value: unknown, count: number): IdempotentRun[] | string {
  if (!Array.isArray(value)) return 'i is not a list of runs';
  const runs: IdempotentRun[] = [];
  let rows = 0;
  let end = 0;
  for (const item of value) {
    if (!Array.isArray(item)) return 'a run is not a tuple';
    const [key, runCount, start, length] = item as unknown[];
    if (typeof key !== 'string' || key === '' || key.length > 256) return 'a run has no key';
    if (!isCount(runCount) || !isCount(start) || !isCount(length)) return 'a run is not made of counts';
    if (start < end) return 'runs overlap';
    end = start + length;
    rows += runCount;
    runs.push({ key, count: runCount, start, length });
  }
  return rows > count ? 'runs hold more rows than the chunk' : runs;
}

function readFrame(value: unknown): Uint8Array | null {
  if (typeof value !== 'string' || value.length % 4 !== 0) return null;
  const frame = Buffer.from(value, 'base64');
  const padding = Number(value.endsWith('=')) + Number(value.endsWith('=='));
  if (frame.length !== (value.length / 4) * 3 - padding) return null;
  return frame.length > 4 && frame.readUInt32LE(0) === 0xfd2fb528 ? frame : null;
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 && value <= 0x7fff_ffff;
}
