import { expect, test } from 'vitest';
import { WeightedMap } from './weighted-map.ts';

const createMap = () => new WeightedMap<string, { weight: number }>(10, ({ weight }) => weight);

test('what was used last stays, as long as all of it is light enough', () => {
  const map = createMap();
  map.set('a', { weight: 4 });
  map.set('b', { weight: 4 });
  map.get('a');
  map.set('c', { weight: 4 });
  expect(['a', 'b', 'c'].map((key) => map.get(key) !== undefined)).toEqual([true, false, true]);
  map.set('heavy', { weight: 50 });
  expect([map.size, map.get('heavy')?.weight]).toEqual([1, 50]);
});

test('what grew while it was used is weighed anew', () => {
  const map = createMap();
  const grown = { weight: 1 };
  map.set('grown', grown);
  grown.weight = 100;
  for (let n = 0; n < 16; n++) map.set('light', { weight: 1 });
  expect(map.get('grown')).toBeUndefined();
  expect(map.get('light')).toBeDefined();
});

test('what is replaced, deleted or cleared weighs nothing any more', () => {
  const map = createMap();
  for (let n = 0; n < 5; n++) map.set('a', { weight: 6 });
  map.delete('a');
  map.set('b', { weight: 6 });
  map.clear();
  for (const key of ['c', 'd']) map.set(key, { weight: 5 });
  expect(map.size).toBe(2);
});
