import { randomFillSync } from 'node:crypto';
import { zstdCompressSync } from 'node:zlib';
import { appendRow, compileDeclaration, createEventIds, createRowFrame, RowWriter } from '@tickrate/events';
import type { Ledger } from '../ledger/ledger.ts';
import { sampleId } from '../queue/chunks/chunk-samples.ts';
import type { RejectedSample, RejectionFlush } from './samples/rejections.ts';

/** Rejected events and dead letters for tests. */

export const receivedMs = Date.UTC(2026, 10, 20, 12);

export const levelDeclaration = {
  type: 'object',
  properties: {
    level: { type: 'integer', minimum: 1 },
    spot: { type: 'object', properties: { x: { type: 'integer' } } },
  },
  required: ['level'],
};

let made = 0;

/** Returns a UUIDv7, each later than the previous one. */
function nextId(): string {
  made += 1;
  return sampleId(receivedMs + made);
}

export function sampleRejected(projectId: string, some: Partial<RejectedSample> = {}): RejectedSample {
  const raw = Buffer.from('{"level":0}');
  return {
    id: nextId(),
    projectId,
    type: 'level',
    version: 1,
    versionNamed: false,
    reason: 'range',
    pointer: '/level',
    message: 'must lie between 1 and 9',
    form: 'event',
    raw,
    bytes: (some.raw ?? raw).length,
    keyId: 'k-1',
    keyLine: null,
    keyKind: 'session',
    sessionId: 's-1',
    accountId: 'a-1',
    clientAddress: '',
    sdkName: 'unity',
    sdkVersion: '1.2.3',
    requestId: 'r-1',
    eventId: null,
    receivedMs,
    occurredMs: receivedMs - 5_000,
    skewMs: 250,
    ...some,
  };
}

let flushes = 0;

/** Counts every sample as one event. */
export function flushOf(
  samples: readonly RejectedSample[],
  some: Partial<RejectionFlush> = {},
): RejectionFlush {
  flushes += 1;
  const counts = samples.map(({ projectId, type, version, reason }) => {
    return { projectId, type, version, reason, events: 1, firstMs: receivedMs, lastMs: receivedMs };
  });
  return { producer: 'gateway-1', number: flushes, counts, samples, ...some };
}

export interface SampleRow {
  readonly level: number;
  readonly accountId?: string;
}

const ids = createEventIds(randomFillSync);

/** Rows of the type `level`, validated only against the declaration. */
function sampleFrame(projectId: string, rows: readonly SampleRow[]): Buffer {
  const compiled = compileDeclaration(levelDeclaration);
  if (!compiled.ok) throw new Error('the sample declaration is not valid');
  const type = { name: 'level', version: 1, codec: compiled.declaration.codec(), hasOccurredAt: false };
  const writer = new RowWriter();
  for (const { level, accountId = '' } of rows) {
    const frame = createRowFrame({ ...sampleRejected(projectId, { accountId }), skewMs: 0 }, type);
    const source = Buffer.from(`{"level":${level},"spot":{"x":7}}`);
    appendRow(writer, frame, { source, at: 0, envelope: { eventId: null, occurredMs: null }, ids });
  }
  return zstdCompressSync(writer.bytes.subarray(0, writer.at));
}

/** Accepts rows, seals them, and makes all of them dead letters. Resolves with the id of the letter. */
export async function buryRows(
  ledger: Ledger,
  projectId: string,
  rows: readonly SampleRow[],
): Promise<string> {
  const [batchId, chunkId, id] = [nextId(), nextId(), nextId()];
  const count = rows.length;
  await ledger.seal(batchId, [
    {
      id: chunkId,
      projectId,
      count,
      idempotency: [],
      producer: 'gateway-1',
      position: { start: 0, settled: 0, voids: [] },
    },
  ]);
  const payload = sampleFrame(projectId, rows);
  const letter = { id, projectId, chunkId, firstRow: 0, rows: count, payload, types: { level: count } };
  await ledger.buryFragment({ batchId, path: '', reason: 'refusedRow', detail: '27: no', letters: [letter] });
  await ledger.stored(batchId);
  return id;
}
