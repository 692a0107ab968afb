import type { RejectionFlush } from '@tickrate/pipeline';
import { PostgresUnavailable } from '@tickrate/postgres';
import { createManualClock, waitUntil } from '@tickrate/testkit';
import { expect, test } from 'vitest';
import type { InsertCall } from '../calls/insert-call.ts';
import type { RejectedSpan } from './rejected-span.ts';
import { createRejectionLog } from './rejection-log.ts';

const call = {
  context: { receivedMs: 1_000, requestId: 'r-1', clientAddress: '10.0.0.1' },
  principal: {
    projectId: 'p-1',
    keyId: 'k-1',
    keyLine: 'k-1',
    kind: 'public',
    sessionId: null,
    accountId: null,
  },
  query: { eventTypeVersion: null, clientTimeMs: null, sdk: { name: '', version: '' } },
} as unknown as InsertCall;

const span: RejectedSpan = {
  type: 'level',
  version: 1,
  versionNamed: null,
  isDeclared: true,
  reason: 'range',
  pointer: '/level',
  message: 'no',
  form: 'event',
  at: 0,
  end: -1,
  envelope: { eventId: null, occurredMs: null },
};

/** A log whose quarantine gives these answers in turn, then takes everything. */
function createLog(answers: Error[] = [], samples = { perSecond: 1, burst: 10_000 }) {
  const clock = createManualClock();
  const sent: RejectionFlush[] = [];
  const outcomes = { kept: 0, dropped: 0 };
  const log = createRejectionLog({
    quarantine: {
      async keepRejections(flush) {
        sent.push(flush);
        const answer = answers.shift() ?? null;
        if (answer !== null) throw answer;
        return flush.samples.length;
      },
    },
    producer: 'gateway-1',
    samples,
    now: clock.now,
    storedAddress: 'none',
    writeId: () => undefined,
    onRejected: () => undefined,
    onSamples: (outcome, count) => {
      outcomes[outcome] += count;
    },
    onFault: () => undefined,
    everyMs: 1,
  });
  return { log, sent, outcomes, clock };
}

// Invariant (Events and quarantine): A rejected event is counted once and kept within limits, without
// delaying the answer
test('a flush without an answer is sent again as it was, before anything newer', async () => {
  const { log, sent } = createLog([new PostgresUnavailable('away'), new PostgresUnavailable('away')]);
  await log.start?.();
  const reject = (one: RejectedSpan) => log.record(call, Buffer.from('{}'), [one]);
  reject(span);
  await waitUntil(() => sent.length >= 1);
  reject({ ...span, reason: 'missing' });
  await waitUntil(() => sent.length >= 4);
  await log.stop?.();
  expect(sent.map(({ number }) => number)).toEqual([1, 1, 1, 2]);
  expect(sent.flatMap(({ counts }) => counts.map(({ reason }) => reason)).at(-1)).toBe('missing');
});

test('a flush that Postgres will never accept is dropped, so that later ones are kept', async () => {
  const { log, sent } = createLog([new Error('invalid input syntax')]);
  await log.start?.();
  const reject = (one: RejectedSpan) => log.record(call, Buffer.from('{}'), [one]);
  reject(span);
  await waitUntil(() => sent.length === 1);
  reject(span);
  await waitUntil(() => sent.length === 2);
  await log.stop?.();
  expect(sent.map(({ number }) => number)).toEqual([1, 2]);
});

test('the gathered samples are bounded: samples beyond are dropped and reported, and counts are merged', async () => {
  const { log, sent, outcomes } = createLog();
  const rejected = Array.from({ length: 3_000 }, (_, n) => ({ ...span, type: `type${n}` }));
  log.record(call, Buffer.alloc(1_000, 0x20), rejected);
  await log.stop?.();
  const [flush] = sent;
  expect([flush?.samples.length, flush?.counts.length]).toEqual([500, 2_001]);
  expect(flush?.counts.find(({ type }) => type === '')).toMatchObject({ version: 0, events: 1_000 });
  expect(outcomes).toEqual({ kept: 500, dropped: 2_500 });
});

test('the beginning of an event is kept, up to the largest size of an event', async () => {
  const { log, sent } = createLog();
  log.record(call, Buffer.alloc(200_000, 0x20), [{ ...span, at: 10, end: 150_000 }]);
  await log.stop?.();
  expect(sent[0]?.samples[0]).toMatchObject({ bytes: 149_990, raw: { length: 65_536 } });
});

test('a burst of each kind is kept as samples, then the rate, and every event is counted', async () => {
  const { log, sent, clock } = createLog([], { perSecond: 2, burst: 3 });
  const reject = (type: string) => {
    const rejected = Array.from({ length: 10 }, () => ({ ...span, type }));
    log.record(call, Buffer.from('{}'), rejected);
  };
  reject('a');
  reject('b');
  clock.advance(1_000);
  reject('a');
  await log.stop?.();
  expect(sent[0]?.samples.map(({ type }) => type)).toEqual(['a', 'a', 'a', 'b', 'b', 'b', 'a', 'a']);
  expect(sent[0]?.counts.map(({ type, events }) => [type, events])).toEqual([
    ['a', 20],
    ['b', 10],
  ]);
});

test('a burst of 0 keeps no samples', async () => {
  const { log, sent } = createLog([], { perSecond: 5, burst: 0 });
  log.record(call, Buffer.from('{}'), [span]);
  await log.stop?.();
  expect([sent[0]?.samples.length, sent[0]?.counts.length]).toEqual([0, 1]);
});
