import { expect, test } from 'vitest';
import { createInFlight } from './in-flight.ts';
import { createStreamBudget } from './stream-budget.ts';
import { createUnavailable } from './unavailable.ts';

function start({ timeoutMs = 60_000, mostStreams = 10 } = {}) {
  const queue = { accepting: true };
  let nowMs = 0;
  const inFlight = createInFlight({ limitBytes: () => 100_000 });
  const room = createStreamBudget({
    inFlight,
    accepting: () => queue.accepting,
    unavailable: createUnavailable(() => 0),
    mostStreams,
    timeoutMs,
    // Each read of the clock takes a second.
    now: () => {
      nowMs += 1_000;
      return nowMs;
    },
  });
  return { room, queue, inFlight };
}

test('a stream waits for room and goes on when there is some', async () => {
  const { room, inFlight } = start();
  const release = inFlight.reserve('a', 90_000);
  const waiting = room.hold('b', 50_000);
  release?.();
  const held = await waiting;
  expect(inFlight.bytes()).toBe(51_024);
  held();
  expect(inFlight.bytes()).toBe(0);
});

test('a stream that waits in vain is told to come back: 6001', async () => {
  const { room, queue } = start({ timeoutMs: 3_000 });
  queue.accepting = false;
  await expect(room.hold('a', 10)).rejects.toMatchObject({ code: 6001, data: { retryAfterSeconds: 1 } });
  expect(() => room.enter('a')).toThrow(expect.objectContaining({ code: 6001 }));
});

test('a project has its share of the streams, and leaves room for the others', () => {
  const { room } = start();
  const left = Array.from({ length: 8 }, () => room.enter('a'));
  expect(() => room.enter('a')).toThrow(expect.objectContaining({ code: 6001 }));
  room.enter('b');
  for (const leave of left) leave();
  room.enter('a');
});
