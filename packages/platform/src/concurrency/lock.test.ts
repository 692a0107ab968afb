import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createKeyedLock, createLock } from './lock.ts';

test('functions under one lock never overlap, also after a failure', async () => {
  const lock = createLock();
  const steps: string[] = [];
  const work = (name: string, isFailing = false) =>
    lock.run(async () => {
      steps.push(`${name} begins`);
      await Promise.resolve();
      steps.push(`${name} ends`);
      if (isFailing) throw new Error(name);
    });
  const settled = await Promise.allSettled([work('a', true), work('b'), work('c')]);
  expect(steps).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends']);
  expect(settled.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled']);
});

test('a keyed lock serialises each key, runs different keys side by side and forgets idle ones', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 30 }),
      fc.scheduler(),
      async (keys, scheduler) => {
        const locks = createKeyedLock();
        const running = new Map<string, number>();
        const order: { readonly key: string; readonly index: number }[] = [];
        const works = keys.map((key, index) =>
          locks.run(key, async () => {
            running.set(key, (running.get(key) ?? 0) + 1);
            expect(running.get(key)).toBe(1);
            order.push({ key, index });
            await scheduler.schedule(Promise.resolve());
            running.set(key, 0);
          }),
        );
        expect(running.size).toBe(new Set(keys).size);
        await scheduler.waitFor(Promise.all(works));
        for (const key of new Set(keys)) {
          const indexes = order.filter((each) => each.key === key).map(({ index }) => index);
          expect(indexes).toEqual(keys.flatMap((each, index) => (each === key ? [index] : [])));
        }
        expect(locks.size()).toBe(0);
      },
    ),
  );
});
