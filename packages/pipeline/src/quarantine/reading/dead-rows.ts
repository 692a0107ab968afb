import { promisify } from 'node:util';
import { constants, zstdCompress, zstdDecompress } from 'node:zlib';
import { writeJson } from '@tickrate/contract';
import { type DecodedRow, readRows, type StoredValue, stampChunkId } from '@tickrate/events';
import { decodeChunkJob } from '../../queue/chunks/chunk.ts';
import type { DeadEvent } from './quarantined.ts';

const inflate = promisify(zstdDecompress);
const deflate = promisify(zstdCompress);

/** Chunks of the gateway are far smaller; a corrupt one must not fill the memory. */
const mostFrameBytes = 256 * 1024 * 1024;

/** The payload of a dead letter: a frame of rows, or the original job if it contained no valid chunk. */
export interface DeadPayload {
  readonly jobId: string;
  readonly rows: number;
  readonly payload: Buffer;
}

export interface DecodedRows {
  readonly bytes: Buffer;
  readonly rows: readonly DecodedRow[];
}

/** Null if the payload does not contain the expected rows. */
export async function decodeDeadRows(letter: DeadPayload): Promise<DecodedRows | null> {
  const frame = isFrame(letter.payload) ? letter.payload : frameOfJob(letter);
  if (frame === null) return null;
  const bytes = await inflateRows(frame).catch(() => null);
  if (bytes === null) return null;
  try {
    const rows = [...readRows(bytes)];
    return rows.length === letter.rows ? { bytes, rows } : null;
  } catch {
    return null;
  }
}

/** A frame with only these rows. */
export function frameOfRows({ bytes, rows }: DecodedRows): Promise<Buffer> {
  return compressRows(rows.map(({ start, end }) => bytes.subarray(start, end)));
}

/** Rejects for a frame that is damaged, or too large. */
export function inflateRows(frame: Uint8Array): Promise<Buffer> {
  return inflate(frame, { maxOutputLength: mostFrameBytes });
}

export function compressRows(rows: readonly Uint8Array[]): Promise<Buffer> {
  return deflate(Buffer.concat(rows), { params: { [constants.ZSTD_c_compressionLevel]: 1 } });
}

/** The rows with the id of another chunk, which ClickHouse counts them by. */
export function stampRows(
  { bytes, rows }: { readonly bytes: Buffer; readonly rows: readonly Pick<DecodedRow, 'start'>[] },
  chunkId: string,
): Buffer {
  const stamped = Buffer.from(bytes);
  const text = Buffer.from(chunkId.replaceAll('-', ''), 'hex');
  const id = Buffer.concat([text.subarray(0, 8).reverse(), text.subarray(8).reverse()]);
  for (const { start } of rows) stampChunkId(stamped, start, id);
  return stamped;
}

/** Whether a text occurs in a payload that cannot be read as rows. */
export async function mentions({ payload }: DeadPayload, text: string): Promise<boolean> {
  if (payload.includes(text)) return true;
  const packed = /"z":"([A-Za-z0-9+/=]*)"/.exec(payload.toString('latin1'))?.[1] ?? '';
  const frame = isFrame(payload) ? payload : Buffer.from(packed, 'base64');
  const bytes = await inflate(frame, {
    maxOutputLength: mostFrameBytes,
    finishFlush: constants.ZSTD_e_flush,
  }).catch(() => null);
  return bytes?.includes(text) ?? false;
}

export function deadEvent(row: DecodedRow): DeadEvent {
  const { type, version, eventId, receivedMs, occurredMs, clientMs, keyKind, sessionId, accountId } = row;
  const { clientAddress, sdkName, sdkVersion } = row;
  const text = writeJson(nested(row.data)).toString();
  const times = { receivedMs, occurredMs, clientMs };
  const sender = { keyKind, sessionId, accountId, clientAddress, sdkName, sdkVersion };
  return { type, version, eventId, ...times, ...sender, text };
}

export function countTypes(types: readonly string[]): Record<string, number> {
  const counts = Map.groupBy(types, (type) => type);
  return Object.fromEntries([...counts].map(([type, some]) => [type, some.length]));
}

function isFrame(payload: Buffer): boolean {
  return payload.length > 4 && payload.readUInt32LE(0) === 0xfd2fb528;
}

function frameOfJob({ jobId, payload }: DeadPayload): Uint8Array | null {
  try {
    const { name, data } = JSON.parse(payload.toString()) as { name?: unknown; data?: unknown };
    const decoded = decodeChunkJob(jobId, String(name), data);
    return decoded.ok ? decoded.chunk.frame : null;
  } catch {
    return null;
  }
}

function nested(data: ReadonlyMap<string, StoredValue>): Map<string, StoredValue> {
  const event = new Map<string, StoredValue>();
  for (const [path, value] of data) {
    const names = path.split('.');
    const last = names.pop() ?? path;
    let place = event;
    for (const name of names) place = inside(place, name);
    place.set(last, value);
  }
  return event;
}

function inside(place: Map<string, StoredValue>, name: string): Map<string, StoredValue> {
  const found = place.get(name);
  if (found instanceof Map) return found;
  const made = new Map<string, StoredValue>();
  place.set(name, made);
  return made;
}
