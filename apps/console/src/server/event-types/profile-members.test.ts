import { expect, test } from 'vitest';
import { profileMembers } from './profile-members.ts';

const events = [
  { event: { level: 3, hero: { name: 'Ada' }, tags: ['a'] } },
  { event: { level: 3, hero: {} } },
  { event: { level: '9007199254740993' } },
  { event: { hero: { name: 'x'.repeat(300) } } },
];

test('a profile has the share of filled events and the most frequent values', () => {
  expect(profileMembers(events, ['level', 'hero.name', 'tags', 'missing'])).toEqual([
    {
      member: 'level',
      filled: 0.75,
      values: [
        { value: '3', events: 2 },
        { value: '9007199254740993', events: 1 },
      ],
    },
    { member: 'hero.name', filled: 0.5, values: [{ value: 'Ada', events: 1 }] },
    { member: 'tags', filled: 0.25, values: [] },
    { member: 'missing', filled: 0, values: [] },
  ]);
});

test('a profile of no events has no values', () => {
  expect(profileMembers([], ['level'])).toEqual([{ member: 'level', filled: 0, values: [] }]);
});
