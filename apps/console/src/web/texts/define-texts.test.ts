import { expect, test } from 'vitest';
import { counted } from './define-texts.ts';

test('a count of one has the words for one', () => {
  expect(counted('1', 'event is', 'events are')).toBe('1 event is');
  expect(['0', '2', '1,001', '1.5'].map((count) => counted(count, 'row', 'rows'))).toEqual([
    '0 rows',
    '2 rows',
    '1,001 rows',
    '1.5 rows',
  ]);
});
