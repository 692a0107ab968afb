import { createRowFrame } from '@tickrate/events';
import { expect, test } from 'vitest';
import { sampleType } from '../testing/sample-rows.ts';
import { frameOf, type InsertCall, senderOf } from './insert-call.ts';

const principals = ['public', 'administrative'].map((kind, n) => ({
  projectId: `p-00000000000${n}`,
  keyId: 'k',
  kind,
  keyLine: `0192f0c0-7d2e-7000-8000-00000000000${n}`,
  sessionId: null,
  accountId: null,
}));
const sdks = [
  { name: '', version: '' },
  { name: 'tickrate-js', version: '1.0.0' },
];
const types = [sampleType('level'), sampleType('old')];

function* everyCall(): Generator<InsertCall> {
  for (const [n, principal] of [...principals, ...principals].entries()) {
    for (const sdk of [...sdks, ...sdks]) {
      for (const clientTimeMs of [null, 7]) {
        const context = { receivedMs: 1_000 + n, clientAddress: `10.0.${n}.1` };
        const query = { sdk, clientTimeMs };
        yield { context, principal, query, receivedMs: 1_000 + n } as unknown as InsertCall;
      }
    }
  }
}

test.each(['none', 'prefix'] as const)(
  'a remembered frame is that of its call, with addresses: %s',
  (stores) => {
    for (const call of everyCall()) {
      for (const type of [...types, ...types]) {
        expect(frameOf(call, type, stores)).toEqual(createRowFrame(senderOf(call, stores), type));
        expect(frameOf(call, type, stores)).toEqual(createRowFrame(senderOf(call, stores), type));
      }
    }
  },
);
