import { once } from 'node:events';
import { expect, onTestFinished, test, vi } from 'vitest';
import { BodyDeadlines } from './held-bodies.ts';

const immediate = () => new Promise((resolve) => setImmediate(resolve));

/** Counts the timers of the code under test alone: the runner starts and ends its own at any time. */
function countTimers(): () => number {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  return () => vi.getTimerCount();
}

test('a body that is complete before an immediate runs starts no timer', async () => {
  const timers = countTimers();
  const deadlines = new BodyDeadlines();
  for (let n = 0; n < 100; n++) deadlines.begin(60_000, () => undefined).end();
  await immediate();
  expect(timers()).toBe(0);
});

test('a body that takes longer has a timer until it ends', async () => {
  const timers = countTimers();
  const deadlines = new BodyDeadlines();
  const deadline = deadlines.begin(60_000, () => undefined);
  await immediate();
  expect(timers()).toBe(1);
  deadline.end();
  expect(timers()).toBe(0);
});

test('a deadline that passes is called once', async () => {
  const events = new EventTarget();
  let late = 0;
  const passed = once(events, 'late');
  new BodyDeadlines().begin(10, () => {
    late++;
    events.dispatchEvent(new Event('late'));
  });
  await passed;
  await immediate();
  expect(late).toBe(1);
});
