import { freshClickHouse } from '@tickrate/testkit';
import { afterAll, expect, test } from 'vitest';
import { connectClickHouse } from '../../clickhouse.ts';
import { createQuerySemaphore } from './query-semaphore.ts';

const { url } = await freshClickHouse();
const clickhouse = connectClickHouse({ url, maxConnections: 2 });
afterAll(() => clickhouse.close());

function createSemaphore(limits: { readonly mostAtOnce: number; readonly mostAtOnceOverall: number }) {
  return createQuerySemaphore(clickhouse, {
    ...limits,
    place: { database: 'default', cluster: null },
    timeoutMs: 1_000,
    killAfterMs: 1_000,
    now: () => 0,
    onEnded: () => undefined,
    onLate: () => undefined,
  });
}

// Invariant (Queries): Many owners cannot keep another one from running a query; a key gets no further
// budget with the projects that it makes
test('an owner without a running query gets a permit, with any number of others', () => {
  const semaphore = createSemaphore({ mostAtOnce: 4, mostAtOnceOverall: 4 });
  const owners = Array.from({ length: 64 }, (_, at) => `attacker-${at}`);
  const taken = owners.map((owner) =>
    Array.from({ length: 4 }, () => semaphore.acquire({ owner, projectId: owner })).filter(
      (permit) => permit !== null,
    ),
  );
  expect(taken.map((permits) => permits.length)).toEqual([4, ...owners.slice(1).map(() => 1)]);
  expect(semaphore.acquire({ owner: 'neighbour', projectId: 'p' })).not.toBeNull();
  for (const permit of taken.flat()) permit.release({ hasEnded: true });
  expect(semaphore.acquire({ owner: 'neighbour', projectId: 'p' })).not.toBeNull();
});
