import { expect, test } from 'vitest';
import { createSemaphore } from './semaphore.ts';

test('limits concurrency and serves the others in order', async () => {
  const semaphore = createSemaphore(2);
  const order: number[] = [];
  const releases = await Promise.all([semaphore.take(), semaphore.take()]);
  const third = semaphore.take().then((release) => {
    order.push(3);
    return release;
  });
  const fourth = semaphore.take().then((release) => {
    order.push(4);
    return release;
  });
  expect(order).toEqual([]);
  releases[0]?.();
  releases[0]?.();
  const release = await third;
  expect(order).toEqual([3]);
  release();
  await fourth;
  expect(order).toEqual([3, 4]);
});
