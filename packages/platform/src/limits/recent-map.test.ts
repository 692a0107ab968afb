import fc from 'fast-check';
import { expect, test } from 'vitest';
import { RecentMap } from './recent-map.ts';

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
