import { randomFillSync } from 'node:crypto';
import { zstdDecompressSync } from 'node:zlib';
import { readRows } from '@tickrate/events';
import { type Chunk, createSentPositions } from '@tickrate/pipeline';
import { expect, test } from 'vitest';
import type { InsertCall } from '../calls/insert-call.ts';
import { admitSingle } from '../reading/admit.ts';
import { createRowBuffers } from '../reading/row-buffers.ts';
import { accepted, receivedMs, sampleFrame } from '../testing/sample-rows.ts';
import { createAcceptedCounts } from './accepted-counts.ts';
import { createCoalescer } from './coalescer.ts';
import { createKeyCheck } from './key-check.ts';
import { storeRows } from './store-rows.ts';

const call = { context: { requestId: 'r-1' }, principal: { projectId: 'p-1' } } as unknown as InsertCall;

test('rows that wait for the ledger stay as they are while other requests use the shared buffer', async () => {
  const chunks: Chunk[] = [];
  const asked = Promise.withResolvers<[]>();
  const coalescer = createCoalescer({
    producer: 'gateway-1',
    positions: createSentPositions(),
    laneOf: () => 'express',
    send: async (sent) => void chunks.push(...sent),
    onSent: () => undefined,
    now: () => receivedMs,
    fillRandom: randomFillSync,
  });
  const ledger = { reusedKeys: () => asked.promise };
  const keyCheck = createKeyCheck({
    ledger,
    onFault: (error) => expect.unreachable(String(error)),
    now: () => 0,
  });
  const parts = { coalescer, keyCheck, accepted: createAcceptedCounts(), random: () => 0 };
  const buffers = createRowBuffers(randomFillSync);
  const rowsOf = (level: number) => {
    const body = Buffer.from(`{"level":${level}}`);
    const rows = buffers.open(body);
    accepted(admitSingle(rows, sampleFrame(), body));
    return rows;
  };
  // One key is that of an event, so the rows wait for the answer about the other.
  const keyed = ['event', 'request.7'].map((key) => ({ key, firstRow: 0, count: 1 }));
  const waiting = storeRows(parts, call, { rows: rowsOf(1), keyed });
  const second = storeRows(parts, call, { rows: rowsOf(2_000_000_000), keyed: [] });
  asked.resolve([]);
  expect([(await waiting).accepted, (await second).accepted]).toEqual([1, 1]);
  await coalescer.drain();
  const levels = chunks.flatMap(({ frame }) =>
    [...readRows(zstdDecompressSync(frame))].map(({ data }) => data.get('level')),
  );
  expect(levels.toSorted()).toEqual([1n, 2_000_000_000n]);
});
