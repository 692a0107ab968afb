import { expect, test } from 'vitest';
import { withQueryPermit } from './query-permits.ts';

test('runs three at once, the others in their order, and none that was abandoned', async () => {
  const started: number[] = [];
  const finish = Array.from({ length: 5 }, () => Promise.withResolvers<void>());
  const abandoned = new AbortController();
  const all = finish.map(({ promise }, index) =>
    withQueryPermit(index === 3 ? abandoned.signal : new AbortController().signal, async () => {
      started.push(index);
      await promise;
    }).then(
      () => 'done',
      () => 'abandoned',
    ),
  );
  abandoned.abort();
  await Promise.resolve();
  expect(started).toEqual([0, 1, 2]);
  for (const { resolve } of finish) resolve();
  expect(await Promise.all(all)).toEqual(['done', 'done', 'done', 'abandoned', 'done']);
  expect(started).toEqual([0, 1, 2, 4]);
});
