import fc from 'fast-check';
import { expect, test } from 'vitest';
import { RecentMap } from './recent-map.ts';

// Invariant (Events and quarantine): The memory of a process for event types is bounded in bytes, and a
// project that declares much delays only itself
test('recently used entries stay and others are evicted', () => {
  const map = new RecentMap<string, number>(4);
  for (const [index, key] of ['a', 'b', 'c', 'd'].entries()) {
    map.set(key, index);
    map.get('a');
  }
  map.set('e', 9);
  expect(map.get('a')).toBe(0);
  expect(map.get('b')).toBeUndefined();
});

test('it never exceeds its capacity, and always keeps the most recently used half', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 2, max: 12 }),
      fc.array(fc.nat(30), { maxLength: 200 }),
      (capacity, keys) => {
        const map = new RecentMap<number, number>(capacity);
        const recent = new Set<number>();
        for (const key of keys) {
          if (map.get(key) === undefined) map.set(key, key);
          recent.delete(key);
          recent.add(key);
          expect(map.size).toBeLessThanOrEqual(capacity);
        }
        const used = [...recent].slice(-Math.floor(capacity / 2));
        expect(used.map((key) => map.get(key))).toEqual(used);
      },
    ),
  );
});

test('a deleted entry is removed from both generations', () => {
  const map = new RecentMap<string, number>(4);
  for (const key of ['a', 'b', 'c']) map.set(key, 1);
  map.delete('a');
  map.delete('c');
  expect([map.get('a'), map.get('b'), map.get('c'), map.size]).toEqual([undefined, 1, undefined, 1]);
  map.clear();
  expect(map.size).toBe(0);
});

test('a capacity below two is rejected', () => {
  expect(() => new RecentMap(1)).toThrow(RangeError);
});

const createWeighted = () => new RecentMap<string, { weight: number }>(10, ({ weight }) => weight);

test('with weights, recently used entries stay while they are light enough together', () => {
  const map = createWeighted();
  map.set('a', { weight: 4 });
  map.set('b', { weight: 4 });
  map.get('a');
  map.set('c', { weight: 4 });
  expect(['a', 'b', 'c'].map((key) => map.get(key) !== undefined)).toEqual([true, false, true]);
  map.set('heavy', { weight: 50 });
  expect([map.size, map.get('heavy')?.weight]).toEqual([1, 50]);
});

test('with weights, an entry that grew while it was used is weighed again', () => {
  const map = createWeighted();
  const grown = { weight: 1 };
  map.set('grown', grown);
  grown.weight = 100;
  for (let n = 0; n < 16; n++) map.set('light', { weight: 1 });
  expect(map.get('grown')).toBeUndefined();
  expect(map.get('light')).toBeDefined();
});

test('with weights, replaced, deleted and cleared entries weigh nothing', () => {
  const map = createWeighted();
  for (let n = 0; n < 5; n++) map.set('a', { weight: 6 });
  map.delete('a');
  map.set('b', { weight: 6 });
  map.clear();
  for (const key of ['c', 'd']) map.set(key, { weight: 5 });
  expect(map.size).toBe(2);
});

test('with weights, the latest entry is kept, and the others within the capacity', () => {
  const entries = fc.array(fc.tuple(fc.nat(20), fc.integer({ min: 1, max: 9 })), { maxLength: 200 });
  fc.assert(
    fc.property(fc.integer({ min: 2, max: 30 }), entries, (capacity, sets) => {
      const map = new RecentMap<number, { weight: number }>(capacity, ({ weight }) => weight);
      for (const [key, weight] of sets) {
        map.set(key, { weight });
        expect(map.get(key)).toEqual({ weight });
        // Each weighs at least 1, so the size is a lower bound of the weight.
        expect(map.size <= capacity || map.size === 1).toBe(true);
      }
    }),
  );
});
