import { randomBytes, randomFillSync } from 'node:crypto';
import { zstdCompressSync } from 'node:zlib';
import {
  appendRow,
  compileDeclaration,
  createEventIds,
  createRowFrame,
  RowWriter,
  stampChunkId,
} from '@tickrate/events';
import type { Chunk, IdempotentRun } from '@tickrate/pipeline';

export interface SampleRequest {
  readonly events: readonly number[];
  /** Its idempotency key, if it has one. */
  readonly key?: string;
  /** The default is none. Its name is then a personal member of the events. */
  readonly accountId?: string;
}

/** Chunks of real rows, for tests. Each event contains a number that identifies its row. */
export interface SampleChunk {
  readonly id: string;
  readonly projectId: string;
  readonly producer?: string;
  readonly requests: readonly SampleRequest[];
  readonly receivedMs?: number;
}

export const sampleDeclaration = {
  type: 'object',
  properties: { n: { type: 'integer' }, name: { type: 'string', 'x-personal': true } },
};
const declared = compileDeclaration(sampleDeclaration);
if (!declared.ok) throw new Error('the sample declaration is not valid');
const { declaration } = declared;
const ids = createEventIds(randomFillSync);

export function sampleChunk(sample: SampleChunk): Chunk {
  const writer = new RowWriter();
  const idempotency: IdempotentRun[] = [];
  let count = 0;
  for (const { events, key, accountId = '' } of sample.requests) {
    const start = writer.at;
    for (const event of events) appendSample(writer, sample, { n: event, accountId });
    count += events.length;
    if (key !== undefined) idempotency.push({ key, count: events.length, start, length: writer.at - start });
  }
  const frame = zstdCompressSync(writer.bytes.subarray(0, writer.at));
  const { id, projectId, producer = 'gateway-1' } = sample;
  return {
    id,
    projectId,
    count,
    idempotency,
    frame,
    producer,
    position: { start: 0, settled: 0, voids: [] },
  };
}

/** A UUIDv7 of the time `ms`. */
export function sampleId(ms: number): string {
  const time = ms.toString(16).padStart(12, '0');
  const chance = randomBytes(9).toString('hex');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${chance.slice(0, 3)}-8${chance.slice(3, 6)}-${chance.slice(6, 18)}`;
}

function appendSample(
  writer: RowWriter,
  { id, projectId, receivedMs = 1_767_225_600_000 }: SampleChunk,
  { n, accountId }: { readonly n: number; readonly accountId: string },
) {
  const sender = {
    projectId,
    keyLine: null,
    keyKind: 'session' as const,
    sessionId: accountId === '' ? '' : `us-${accountId}`,
    accountId,
    clientAddress: '',
    sdkName: '',
    sdkVersion: '',
    receivedMs,
    skewMs: 0,
  };
  const type = { name: 'sample', version: 1, codec: declaration.codec(), hasOccurredAt: false };
  const source = Buffer.from(JSON.stringify(accountId === '' ? { n } : { n, name: `name of ${accountId}` }));
  const rowAt = writer.at;
  const envelope = { eventId: null, occurredMs: null };
  appendRow(writer, createRowFrame(sender, type), { source, at: 0, envelope, ids });
  const bytes = Buffer.from(id.replaceAll('-', ''), 'hex');
  const stored = Buffer.concat([bytes.subarray(0, 8).reverse(), bytes.subarray(8).reverse()]);
  stampChunkId(writer.bytes, rowAt, stored);
}
