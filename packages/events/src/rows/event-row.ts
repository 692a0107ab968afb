import { type KeyKind, limits } from '@tickrate/contract';
import type { EventCodec } from '../declaration/reading/compile-declaration.ts';
import { writeUuid } from '../reader/text-formats.ts';
import type { EventIds } from './event-ids.ts';
import { RowWriter } from './row-writer.ts';

/** The columns of the `events` table, in the order of a RowBinary row. */
export const eventColumns = [
  { name: 'chunk_id', type: 'UUID' },
  { name: 'project', type: 'LowCardinality(String)' },
  { name: 'type', type: 'LowCardinality(String)' },
  { name: 'version', type: 'UInt16' },
  { name: 'event_id', type: 'UUID' },
  { name: 'received', type: "DateTime64(3, 'UTC')" },
  { name: 'occurred', type: "DateTime64(3, 'UTC')" },
  { name: 'client_time', type: "Nullable(DateTime64(3, 'UTC'))" },
  { name: 'key_kind', type: "Enum8('public' = 1, 'session' = 2, 'administrative' = 3)" },
  { name: 'key_line', type: 'UUID' },
  { name: 'session_id', type: 'String' },
  { name: 'account_id', type: 'String' },
  { name: 'client_address', type: 'String' },
  { name: 'sdk_name', type: 'LowCardinality(String)' },
  { name: 'sdk_version', type: 'LowCardinality(String)' },
  { name: 'data', type: 'JSON' },
] as const;

export const keyKindCodes: Readonly<Record<KeyKind, number>> = { public: 1, session: 2, administrative: 3 };

/** The sender of an event. A text is empty if there is none. */
export interface EventSender {
  readonly keyKind: KeyKind;
  /** The rotation line of the key, a UUID. Null for the key of a session. */
  readonly keyLine: string | null;
  readonly sessionId: string;
  readonly accountId: string;
  readonly clientAddress: string;
  readonly sdkName: string;
  readonly sdkVersion: string;
}

/** The values that all events of one request share. */
export interface RowSender extends EventSender {
  readonly projectId: string;
  readonly receivedMs: number;
  /** Received time minus the client's clock at sending. 0 if the client did not send its clock. */
  readonly skewMs: number;
}

/** The parts of a row that are equal for one type in one request, encoded once. */
export interface RowFrame {
  readonly typeName: string;
  readonly version: number;
  readonly before: Uint8Array;
  readonly after: Uint8Array;
  readonly receivedMs: number;
  readonly skewMs: number;
  readonly codec: EventCodec;
  readonly hasOccurredAt: boolean;
}

export interface RowType {
  readonly name: string;
  readonly version: number;
  readonly codec: EventCodec;
  readonly hasOccurredAt: boolean;
}

const noUuid = new Uint8Array(16);

// Frames are built one at a time. The content is copied out before other code can run.
const scratch = new RowWriter(1024);

export function createRowFrame(sender: RowSender, type: RowType): RowFrame {
  const before = written(() => {
    scratch.put(noUuid);
    writeText(scratch, sender.projectId);
    writeText(scratch, type.name);
    scratch.uint16(type.version);
  });
  const after = written(() => {
    scratch.byte(keyKindCodes[sender.keyKind]);
    writeKeyLine(scratch, sender.keyLine);
    writeText(scratch, sender.sessionId);
    writeText(scratch, sender.accountId);
    writeText(scratch, sender.clientAddress);
    writeText(scratch, sender.sdkName);
    writeText(scratch, sender.sdkVersion);
  });
  const { receivedMs, skewMs } = sender;
  const { name: typeName, version, codec, hasOccurredAt } = type;
  return { typeName, version, before, after, receivedMs, skewMs, codec, hasOccurredAt };
}

function written(write: () => void): Uint8Array {
  scratch.reset();
  write();
  return Uint8Array.prototype.slice.call(scratch.bytes, 0, scratch.at);
}

/** The values that a client sent with one event, outside its members. Null if it sent none. */
export interface EventEnvelope {
  readonly eventId: string | null;
  readonly occurredMs: number | null;
}

export const plainEnvelope: EventEnvelope = { eventId: null, occurredMs: null };

/**
 * Appends the row of the event at `at` and returns the offset after the event. Otherwise the writer is unchanged: -1
 * means that the event must be explained, -2 that its row would be too large. The row starts with 16 zero bytes for the
 * id of its chunk.
 */
export function appendRow(
  writer: RowWriter,
  frame: RowFrame,
  event: {
    readonly source: Buffer;
    readonly at: number;
    readonly envelope: EventEnvelope;
    readonly ids: EventIds;
  },
): number {
  const start = writer.at;
  writer.most = start + limits.storedEventBytes;
  const { envelope } = event;
  writer.put(frame.before);
  writer.reserve(16);
  if (envelope.eventId === null) event.ids.write(writer.bytes, writer.at, frame.receivedMs);
  else writeId(writer, envelope.eventId);
  writer.at += 16;
  writer.int64(frame.receivedMs);
  const timesAt = writer.at;
  const hasTime = frame.hasOccurredAt || envelope.occurredMs !== null;
  writer.int64(frame.receivedMs);
  writer.byte(1);
  if (hasTime) writer.int64(0);
  writer.put(frame.after);
  const end = frame.codec.read(event.source, event.at, writer);
  const isTooLarge = writer.at > writer.most;
  if (end < 0 || isTooLarge) {
    writer.at = start;
    return isTooLarge ? -2 : -1;
  }
  if (hasTime) writeTimes(writer, timesAt, { frame, envelopeMs: envelope.occurredMs });
  return end;
}

/** The client's time is known after the event is read: a declared time takes precedence over the envelope's. */
function writeTimes(
  writer: RowWriter,
  at: number,
  { frame, envelopeMs }: { frame: RowFrame; envelopeMs: number | null },
): void {
  const clientMs = Number.isNaN(writer.occurredMs) ? envelopeMs : writer.occurredMs;
  const end = writer.at;
  if (clientMs === null) {
    writer.bytes.copyWithin(at + 9, at + 17, end);
    writer.at = end - 8;
    return;
  }
  const { receivedMs, skewMs } = frame;
  const earliest = receivedMs - limits.occurredPastMs;
  const latest = receivedMs + limits.occurredFutureMs;
  const correctedMs = clientMs + skewMs;
  const occurredMs = Math.min(latest, Math.max(earliest, correctedMs));
  if (occurredMs !== correctedMs) writer.clamped++;
  writer.at = at;
  writer.int64(occurredMs);
  writer.byte(0);
  writer.int64(clientMs);
  writer.at = end;
}

function writeKeyLine(writer: RowWriter, line: string | null): void {
  writer.put(noUuid);
  if (line === null) return;
  writer.at -= noUuid.length;
  writeId(writer, line);
  writer.at += noUuid.length;
}

function writeId(writer: RowWriter, text: string): void {
  const bytes = Buffer.from(text);
  if (!writeUuid(bytes, 0, bytes.length, writer.bytes, writer.at)) throw new TypeError('expected a UUID');
}

function writeText(writer: RowWriter, text: string): void {
  if (text === '') {
    writer.byte(0);
    return;
  }
  const bytes = Buffer.from(text);
  writer.text(bytes, 0, bytes.length);
}

/** Writes the id of a chunk into its row that starts at `rowAt`. */
export function stampChunkId(bytes: Uint8Array, rowAt: number, chunkId: Uint8Array): void {
  for (let i = 0; i < 16; i++) bytes[rowAt + i] = chunkId[i] ?? 0;
}
