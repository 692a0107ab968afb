import { readTraceparent } from '@tickrate/platform';
import type { Range } from './ranges.ts';
import { type ChunkPosition, mostVoids } from './sent-positions.ts';

/** Rows of one project on their way to ClickHouse: one job of the queue. */
export interface Chunk {
  /** UUIDv7. It is also the id of the job, so adding a chunk twice adds one job. */
  readonly id: string;
  readonly projectId: string;
  readonly count: number;
  readonly idempotency: readonly IdempotentRun[];
  /** One zstd frame of RowBinary rows. */
  readonly frame: Uint8Array;
  /** The process that made the chunk. */
  readonly producer: string;
  /** The position in the events that this process sent for the project. */
  readonly position: ChunkPosition;
  /** The span that sent the chunk, as in W3C Trace Context, if it was traced. */
  readonly traceparent?: string | undefined;
}

/** Consecutive rows of a chunk with the same idempotency key. */
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
    /** `settled`, followed by the start and the end of each void. */
    readonly s: readonly number[];
    readonly i: readonly (readonly [string, number, number, number])[];
    readonly z: string;
    /** The traceparent, if there is one. */
    readonly t?: string | undefined;
  };
}

/** A job without a valid chunk. It is kept as a dead letter and never retried. */
export interface MalformedJob {
  readonly id: string;
  readonly reason: string;
  /** Read from the name of the job. Null and 0 if the name does not contain it. */
  readonly projectId: string | null;
  readonly count: number;
  readonly sent: SentAt | null;
  readonly raw: string;
}

/** The process that sent the events of a chunk, and their position. */
export interface SentAt {
  readonly producer: string;
  readonly start: number;
}

export type DecodedJob =
  | { readonly ok: true; readonly chunk: Chunk }
  | { readonly ok: false; readonly malformed: MalformedJob };

/** When the gateway began it. The id, a UUIDv7, begins with this time. */
export function chunkBeganMs(id: string): number {
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
}

export function encodeChunkJob(chunk: Chunk): ChunkJob {
  const { frame, position } = chunk;
  return {
    name: `${chunk.projectId}:${chunk.count}:${position.start}:${chunk.producer}`,
    data: {
      v: 1,
      n: chunk.count,
      p: chunk.projectId,
      s: [position.settled, ...position.voids.flat()],
      i: chunk.idempotency.map((run) => [run.key, run.count, run.start, run.length]),
      z: Buffer.from(frame.buffer, frame.byteOffset, frame.byteLength).toString('base64'),
      t: chunk.traceparent,
    },
  };
}

export function decodeChunkJob(id: string, name: string, data: unknown): DecodedJob {
  const named = readJobName(name);
  const read = readChunk(id, named, data);
  if (typeof read !== 'string') return { ok: true, chunk: read };
  return {
    ok: false,
    malformed: {
      id,
      reason: read,
      projectId: named?.projectId ?? null,
      count: named?.count ?? 0,
      sent: named?.sent ?? null,
      raw: JSON.stringify({ name, data }) ?? '',
    },
  };
}

export interface JobName {
  readonly projectId: string;
  readonly count: number;
  /** Null if the name of the job was not written by a Tickrate process. */
  readonly sent: SentAt | null;
}

/** The same in PostgreSQL's form. */
export const jobNamePattern = '^([a-z0-9-]{1,64}):([0-9]{1,9})(:([0-9]{1,15}):([A-Za-z0-9.-]{1,128}))?$';
const jobName = new RegExp(jobNamePattern);

/** `project:rows:start:producer`. The name of a job shows which events wait, so nobody has to read the payload. */
export function readJobName(name: string): JobName | null {
  const [, projectId, count, , start, producer] = jobName.exec(name) ?? [];
  if (projectId === undefined) return null;
  const sent = producer === undefined ? null : { producer, start: Number(start) };
  return { projectId, count: Number(count), sent };
}

const uuidV7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

function readChunk(id: string, named: JobName | null, data: unknown): Chunk | string {
  if (!uuidV7.test(id)) return 'the job id is not a UUIDv7';
  if (typeof data !== 'object' || data === null) return 'the data is not an object';
  const { v, n, p, s, i, z, t } = data as Record<string, unknown>;
  if (v !== 1) return 'unknown version';
  if (!isCount(n) || n === 0) return 'n is not a count of rows';
  if (typeof p !== 'string' || readJobName(`${p}:0`) === null) return 'p is not a project id';
  if (named === null || named.sent === null) return 'the name does not say who sent it';
  if (named.projectId !== p || named.count !== n) return 'the name is of another chunk';
  const settled = readSettled(s);
  if (settled === null) return 's is not a list of positions';
  const idempotency = readRuns(i, n);
  if (typeof idempotency === 'string') return idempotency;
  const frame = readFrame(z);
  if (frame === null) return 'z is not a zstd frame in base64';
  const { producer, start } = named.sent;
  const position = { start, ...settled };
  return { id, projectId: p, count: n, idempotency, frame, producer, position, traceparent: readTrace(t) };
}

/** No event is refused for its trace. */
function readTrace(t: unknown): string | undefined {
  return typeof t === 'string' && readTraceparent(t) !== null ? t : undefined;
}

function readSettled(value: unknown): Omit<ChunkPosition, 'start'> | null {
  if (!Array.isArray(value) || value.length % 2 === 0 || value.length > 1 + 2 * mostVoids) return null;
  const positions: unknown[] = value;
  if (!positions.every((position) => typeof position === 'number' && Number.isSafeInteger(position)))
    return null;
  const [settled = 0, ...ends] = positions as number[];
  if (ends.some((position, index) => position <= (ends[index - 1] ?? -1)) || (ends.at(-1) ?? 0) > settled)
    return null;
  const voids: Range[] = [];
  for (let at = 0; at < ends.length; at += 2) voids.push([ends[at] ?? 0, ends[at + 1] ?? 0]);
  return settled < 0 ? null : { settled, voids };
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
