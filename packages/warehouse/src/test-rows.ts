import { randomFillSync } from 'node:crypto';
import { zstdCompressSync } from 'node:zlib';
import {
  appendRow,
  compileDeclaration,
  createEventIds,
  createRowFrame,
  RowWriter,
  stampChunkId,
} from '@tickrate/events';

export interface TestEvent {
  /** JSON text, or a value to stringify. */
  readonly event: unknown;
  readonly eventId?: string;
  readonly occurredMs?: number;
}

export interface TestChunk {
  readonly chunkId: string;
  readonly projectId: string;
  readonly receivedMs?: number;
  readonly accountId?: string;
  readonly sessionId?: string;
  readonly keyLine?: string;
}

const receivedMs = Date.UTC(2026, 10, 21, 12);
const ids = createEventIds(randomFillSync);

/** One version of an event type, for tests that store its events. */
export type TestType = ReturnType<typeof createTestType>;

export function createTestType(name: string, version: number, properties: object) {
  const result = compileDeclaration({ type: 'object', properties });
  if (!result.ok) throw new Error(`bad declaration: ${JSON.stringify(result.faults)}`);
  const { columns, hasOccurredAt, codec } = result.declaration;
  const rowType = { name, version, codec: codec(), hasOccurredAt };
  return {
    name,
    version,
    columns,
    encode(events: readonly TestEvent[], chunk: TestChunk): Buffer {
      const writer = new RowWriter();
      const frame = createRowFrame(senderOf(chunk), rowType);
      for (const { event, eventId = null, occurredMs = null } of events) {
        const source = Buffer.from(typeof event === 'string' ? event : JSON.stringify(event));
        const rowAt = writer.at;
        const envelope = { eventId, occurredMs };
        if (appendRow(writer, frame, { source, at: 0, envelope, ids }) < 0) {
          throw new Error(`not an event of ${name}: ${source}`);
        }
        stampChunkId(writer.bytes, rowAt, storedUuid(chunk.chunkId));
      }
      return Buffer.from(writer.bytes.subarray(0, writer.at));
    },
  };
}

export function frameOf(rows: Uint8Array): Buffer {
  return zstdCompressSync(rows);
}

function senderOf(chunk: TestChunk) {
  return {
    projectId: chunk.projectId,
    keyKind: 'session' as const,
    keyLine: chunk.keyLine ?? null,
    sessionId: chunk.sessionId ?? 'session-1',
    accountId: chunk.accountId ?? 'account-1',
    clientAddress: '',
    sdkName: 'unity',
    sdkVersion: '1.2.3',
    receivedMs: chunk.receivedMs ?? receivedMs,
    skewMs: 0,
  };
}

/** A UUID in ClickHouse's binary form: two little-endian halves. */
function storedUuid(text: string): Buffer {
  const bytes = Buffer.from(text.replaceAll('-', ''), 'hex');
  return Buffer.concat([bytes.subarray(0, 8).reverse(), bytes.subarray(8).reverse()]);
}
