import { freshClickHouse } from '@tickrate/testkit';
import { afterAll, expect, test } from 'vitest';
import { connectClickHouse } from '../../clickhouse.ts';
import { queryLimits } from '../query-limits.ts';
import { createQueryPermits } from './query-permits.ts';

const { url } = await freshClickHouse();
const clickhouse = connectClickHouse({ url, maxConnections: 2 });
afterAll(() => clickhouse.close());

test('refuses waiting queries if the query before them used up the budget of their owner', async () => {
  let nowMs = 0;
  const permits = createQueryPermits(clickhouse, {
    place: { database: 'default', cluster: null },
    timeoutMs: 1_000,
    limits: { ...queryLimits, mostAtOnce: 1, budgetSeconds: 10, budgetWindowSeconds: 20 },
    now: () => nowMs,
  });
  const who = { owner: 'studio', projectId: 'p-aaaaaaaaaaaa' };
  const first = await permits.acquire(who);
  if (first.kind !== 'permit') throw new Error('The first query has no permit');
  const waiting = [permits.acquire(who), permits.acquire(who)];
  nowMs += 12_000;
  first.release({ hasEnded: true });
  expect(await Promise.all(waiting)).toEqual([
    { kind: 'busy', retryAfterSeconds: expect.any(Number) },
    { kind: 'busy', retryAfterSeconds: expect.any(Number) },
  ]);
  nowMs += 20_000;
  expect(await permits.acquire(who)).toMatchObject({ kind: 'permit' });
});
