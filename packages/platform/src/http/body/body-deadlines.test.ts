import { once } from 'node:events';
import { expect, test } from 'vitest';
import { BodyDeadlines } from './body-deadlines.ts';

const immediate = () => new Promise((resolve) => setImmediate(resolve));
const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;

test('a body that is complete before an immediate runs starts no timer', async () => {
  const deadlines = new BodyDeadlines();
  const before = timers();
  for (let n = 0; n < 100; n++) deadlines.begin(60_000, () => undefined).end();
  await immediate();
  expect(timers()).toBe(before);
});

test('a body that takes longer has a timer until it ends', async () => {
  const deadlines = new BodyDeadlines();
  const before = timers();
  const deadline = deadlines.begin(60_000, () => undefined);
  await immediate();
  expect(timers()).toBe(before + 1);
  deadline.end();
  expect(timers()).toBe(before);
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
