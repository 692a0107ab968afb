import { expect, test } from 'vitest';
import { partOf } from './counts-result.tsx';

const rows = [
  { split: 'DE', isRest: false },
  { split: null, isRest: false },
  { split: 'DE', isRest: false },
  { split: null, isRest: true },
];

test('a part of a split is its value, and the rest is everything except the values of the other parts', () => {
  expect(partOf('country', rows, rows[0] ?? {})).toEqual({
    member: 'country',
    values: ['DE'],
    isRest: false,
  });
  expect(partOf('country', rows, rows[1] ?? {})).toEqual({
    member: 'country',
    values: [null],
    isRest: false,
  });
  expect(partOf('country', rows, rows[3] ?? {})).toEqual({
    member: 'country',
    values: ['DE', null],
    isRest: true,
  });
});
