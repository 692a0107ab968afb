import { PostgresUnavailable } from '@tickrate/postgres';
import { expect, test } from 'vitest';
import { LookupCache } from './lookup-cache.ts';

test('a known entry is returned immediately, and a key is queried only once', async () => {
  const { cache, queries, answer } = setUp();
  const first = cache.get('a');
  const second = cache.get('a');
  answer({ a: 1 });
  expect(await Promise.all([first, second])).toEqual([1, 1]);
  expect(cache.get('a')).toBe(1);
  expect(queries).toEqual([['a']]);
});

test('an absent key is cached until a change names it', async () => {
  const { cache, queries, answer } = setUp();
  const asked = cache.get('a');
  answer({});
  expect(await asked).toBeNull();
  expect(cache.get('a')).toBeNull();
  cache.invalidate('a');
  const again = cache.get('a');
  answer({ a: 2 });
  expect(await again).toBe(2);
  expect(queries).toHaveLength(2);
});

test('a result from before a change is not cached and not returned', async () => {
  const { cache, queries, answer } = setUp();
  const asked = cache.get('a');
  cache.invalidate('a');
  answer({ a: 'old' });
  await nextQuery(queries, 2);
  cache.clear();
  answer({ a: 'also old' });
  await nextQuery(queries, 3);
  answer({ a: 'new' });
  expect(await asked).toBe('new');
  expect(cache.get('a')).toBe('new');
});

test('many unknown keys are batched into a few queries', async () => {
  const { cache, queries, answer } = setUp();
  const asked = Array.from({ length: 1_002 }, (_, index) => cache.get(String(index)));
  expect(queries.map((keys) => keys.length)).toEqual([1, 1]);
  answer({});
  answer({});
  await nextQuery(queries, 4);
  expect(queries.map((keys) => keys.length)).toEqual([1, 1, 500, 500]);
  answer({});
  answer({});
  expect(await Promise.all(asked)).toEqual(Array.from({ length: 1_002 }, () => null));
});

test('a look-up beyond the limit is rejected immediately', async () => {
  const { cache, answer } = setUp({ maxPending: 2 });
  const asked = [cache.get('a'), cache.get('b')];
  await expect(cache.get('c')).rejects.toMatchObject({ outcome: 'overloaded' });
  answer({});
  answer({});
  expect(await Promise.all(asked)).toEqual([null, null]);
  const later = cache.get('c');
  answer({ c: 3 });
  expect(await later).toBe(3);
});

test('a failed query fails its callers and is not cached', async () => {
  const { cache, answer, fail } = setUp();
  const asked = cache.get('a');
  fail(new PostgresUnavailable('away'));
  await expect(asked).rejects.toBeInstanceOf(PostgresUnavailable);
  const again = cache.get('a');
  answer({ a: 1 });
  expect(await again).toBe(1);
});

test('an entry that is too old is queried again', async () => {
  const trust = { held: true };
  const { cache, answer } = setUp({ trusted: () => trust.held });
  const asked = cache.get('a');
  answer({ a: 1 });
  await asked;
  trust.held = false;
  const again = cache.get('a');
  answer({ a: 2 });
  expect(await again).toBe(2);
});

test('absent keys do not evict present keys', async () => {
  const { cache, answer } = setUp();
  const asked = cache.get('a');
  answer({ a: 1 });
  await asked;
  for (let index = 0; index < 50; index++) {
    const absent = cache.get(`unknown ${index}`);
    answer({});
    await absent;
  }
  expect(cache.get('a')).toBe(1);
});

interface SetUp {
  readonly maxPending?: number;
  readonly trusted?: () => boolean;
}

/** A cache whose queries the test answers itself, oldest first. */
function setUp({ maxPending = 10_000, trusted = () => true }: SetUp = {}) {
  const queries: (readonly string[])[] = [];
  const open: PromiseWithResolvers<ReadonlyMap<string, unknown>>[] = [];
  const cache = new LookupCache<unknown>({
    load: (keys) => {
      queries.push(keys);
      const query = Promise.withResolvers<ReadonlyMap<string, unknown>>();
      open.push(query);
      return query.promise;
    },
    trusted,
    maxPresent: 10,
    maxAbsent: 10,
    maxPending,
  });
  return {
    cache,
    queries,
    answer: (found: Readonly<Record<string, unknown>>) =>
      open.shift()?.resolve(new Map(Object.entries(found))),
    fail: (error: Error) => open.shift()?.reject(error),
  };
}

async function nextQuery(queries: readonly unknown[], count: number): Promise<void> {
  await expect.poll(() => queries.length, { interval: 1 }).toBe(count);
}
