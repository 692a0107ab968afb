import { expect, test } from 'vitest';
import { type EventFilter, matches } from './event-filter.ts';

const event = {
  type: 'level_up',
  accountId: 'u-1',
  sessionId: 'us-1',
  members: () => ({
    level: 7,
    id: '9007199254740993',
    name: 'Bo',
    ranked: true,
    nothing: null,
    position: { x: -1.5 },
    list: [1],
  }),
};

const where = (member: string, is: EventFilter['where'][number]['is'], value: string | number | boolean) => ({
  where: [{ member, is, value }],
});

test.each<[Partial<EventFilter>, boolean]>([
  [{}, true],
  [{ types: ['crash', 'level_up'] }, true],
  [{ types: [] }, false],
  [{ types: ['crash'] }, false],
  [{ accountId: 'u-1', sessionId: 'us-1' }, true],
  [{ accountId: 'u-2' }, false],
  [{ sessionId: '' }, false],
  [where('level', 'equal', 7), true],
  [where('level', 'greaterOrEqual', 7), true],
  [where('level', 'less', 7), false],
  [where('level', 'equal', '7'), true],
  [where('name', 'equal', 'Bo'), true],
  [where('name', 'greater', 'Ada'), true],
  [where('name', 'notEqual', 5), false],
  [where('id', 'equal', '9007199254740993'), true],
  [where('ranked', 'equal', true), true],
  [where('position.x', 'lessOrEqual', -1.5), true],
  [where('position.y', 'notEqual', 0), false],
  [where('nothing', 'notEqual', 0), false],
  [where('toString', 'notEqual', 'x'), false],
  [where('list.0', 'equal', 1), false],
])('the filter %j: %s', (filter, isMatch) => {
  expect(matches({ where: [], ...filter }, event)).toBe(isMatch);
});
