import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createSemaphore } from './semaphore.ts';

test('a semaphore starts works in order, never more than its permits, and each exactly once', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 4 }),
      fc.array(fc.boolean(), { maxLength: 20 }),
      fc.scheduler(),
      async (permits, fails, scheduler) => {
        const semaphore = createSemaphore({ permits });
        const started: number[] = [];
        let running = 0;
        let mostRunning = 0;
        const outcomes = fails.map((isFailing, index) =>
          semaphore.run(async () => {
            started.push(index);
            running += 1;
            mostRunning = Math.max(mostRunning, running);
            await scheduler.schedule(Promise.resolve());
            running -= 1;
            if (isFailing) throw new Error(String(index));
            return index;
          }),
        );
        const settled = Promise.allSettled(outcomes);
        await scheduler.waitFor(settled);
        expect(started).toEqual(fails.map((_, index) => index));
        expect((await settled).map(({ status }) => status === 'rejected')).toEqual(fails);
        expect(mostRunning).toBe(Math.min(permits, fails.length));
        expect([semaphore.running(), semaphore.waiting()]).toEqual([0, 0]);
      },
    ),
  );
});

test('a work starts at once while a permit is free', () => {
  let started = 0;
  const semaphore = createSemaphore({ permits: 2 });
  const never = () =>
    new Promise<void>(() => {
      started += 1;
    });
  for (let i = 0; i < 3; i++) void semaphore.run(never);
  expect([started, semaphore.running(), semaphore.waiting()]).toEqual([2, 2, 1]);
});

test('a work is refused at once when too many wait, and never started', async () => {
  const done = Promise.withResolvers<string>();
  const semaphore = createSemaphore({ permits: 1, mostWaiting: 1, refusal: () => new Error('busy') });
  const first = semaphore.run(() => done.promise);
  const second = semaphore.run(async () => 'second');
  let isStarted = false;
  const third = semaphore.run(async () => {
    isStarted = true;
  });
  await expect(third).rejects.toThrow('busy');
  done.resolve('first');
  expect(await Promise.all([first, second])).toEqual(['first', 'second']);
  expect(isStarted).toBe(false);
});

test('a function that throws before it returns a promise releases its permit', async () => {
  const semaphore = createSemaphore({ permits: 1 });
  const failing = semaphore.run(() => {
    throw new Error('no promise');
  });
  await expect(failing).rejects.toThrow('no promise');
  expect(await semaphore.run(async () => 'next')).toBe('next');
});

test('a semaphore without permits is refused', () => {
  expect(() => createSemaphore({ permits: 0 })).toThrow(RangeError);
});
