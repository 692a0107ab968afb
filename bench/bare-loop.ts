import { randomFillSync } from 'node:crypto';
import { constants, zstdCompressSync } from 'node:zlib';
import {
  appendRow,
  compileDeclaration,
  createEventIds,
  createRowFrame,
  plainEnvelope,
  RowWriter,
} from '@tickrate/events';
import { sampleBatch, sampleType } from './sample-events.ts';
import { takeOrder } from './take-order.ts';

/** Parse, validate, encode and compress batches of 100, and nothing else: the reference of gateway.batch. */
const compiled = compileDeclaration(sampleType.declaration);
if (!compiled.ok) throw new Error('the sample declaration is outside the profile');
const { declaration } = compiled;
const frame = createRowFrame(
  {
    projectId: 'p-000000000000',
    keyLine: '0192f0c0-7d2e-7000-8000-000000000001',
    keyKind: 'public',
    sessionId: '',
    accountId: '',
    clientAddress: '',
    sdkName: '',
    sdkVersion: '',
    receivedMs: Date.now(),
    skewMs: 0,
  },
  { name: sampleType.name, version: 1, codec: declaration.codec(), hasOccurredAt: declaration.hasOccurredAt },
);
const ids = createEventIds(randomFillSync);
const writer = new RowWriter();
const fastest = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };
const bodies = Array.from({ length: 400 }, () => sampleBatch(100));

function encode(body: Buffer): number {
  writer.reset();
  let events = 0;
  for (let at = 1; body[at - 1] !== 0x5d; at++) {
    at = appendRow(writer, frame, { source: body, at, envelope: plainEnvelope, ids });
    if (at < 0) throw new Error('a sample event was refused');
    events++;
  }
  zstdCompressSync(writer.bytes.subarray(0, writer.at), fastest).toString('base64');
  return events;
}

function run(forMs: number): number {
  const start = performance.now();
  let events = 0;
  let next = 0;
  while (performance.now() - start < forMs) {
    const body = bodies[next++ % bodies.length];
    if (body !== undefined) events += encode(body);
  }
  return events / ((performance.now() - start) / 1000);
}

takeOrder(async (measureMs: number) => {
  run(1_000);
  return run(measureMs);
});
