import { expect, test } from 'vitest';
import { createBodyBudget } from './body-budget.ts';
import { createInFlight } from './in-flight.ts';

function start({ timeoutMs = 60_000, mostStreams = 10 } = {}) {
  const queue = { accepting: true };
  let nowMs = 0;
  const inFlight = createInFlight({ limitBytes: () => 100_000 });
  const bodies = createBodyBudget({
    inFlight,
    accepting: () => queue.accepting,
    random: () => 0,
    mostStreams,
    timeoutMs,
    // Each read of the clock takes a second.
    now: () => {
      nowMs += 1_000;
      return nowMs;
    },
  });
  return { bodies, queue, inFlight };
}

test('a stream waits for free bytes and continues when there are some', async () => {
  const { bodies, inFlight } = start();
  const release = inFlight.reserve('a', 90_000);
  const waiting = bodies.waitFor('b', 50_000);
  release?.();
  const held = await waiting;
  expect(inFlight.bytes()).toBe(51_024);
  held();
  expect(inFlight.bytes()).toBe(0);
});

test('a stream that waits longer than the timeout receives 6001', async () => {
  const { bodies, queue } = start({ timeoutMs: 3_000 });
  queue.accepting = false;
  await expect(bodies.waitFor('a', 10)).rejects.toMatchObject({ code: 6001, data: { retryAfterSeconds: 1 } });
  expect(() => bodies.enterStream('a')).toThrow(expect.objectContaining({ code: 6001 }));
});

test('a project has its share of the streams, and other projects have theirs', () => {
  const { bodies } = start();
  const left = Array.from({ length: 8 }, () => bodies.enterStream('a'));
  expect(() => bodies.enterStream('a')).toThrow(expect.objectContaining({ code: 6001 }));
  bodies.enterStream('b');
  for (const leave of left) leave();
  bodies.enterStream('a');
});
