import { expect, test } from 'vitest';
import { findPointer } from './find-pointer.ts';

const body = '{"a/b": [1, {"level": "7 \\" }"}], "x":\n{ "y" :true}}';

test.each([
  ['', body],
  ['/a~1b/1/level', '"7 \\" }"'],
  ['/a~1b/0', '1'],
  ['/x/y', 'true'],
  ['/x/missing', '{ "y" :true}'],
  ['/x/y/deeper', 'true'],
])('finds %j', (pointer, found) => {
  const place = findPointer(body, pointer);
  expect(place && body.slice(place.start, place.end)).toBe(found);
});

test.each(['', '{', '{"a"', '{"a" 1}', 'x y', '[1 2]'])('returns null or a place for %j', (text) => {
  const place = findPointer(text, '/a/0');
  expect(place === null || place.end <= text.length).toBe(true);
});
