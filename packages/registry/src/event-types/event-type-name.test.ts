import { expect, test } from 'vitest';
import { isEventTypeName } from './event-type-name.ts';

test.each(['a', 'Level_Up', 'level.up', 'shop-open', 'Events', 'events_', `a${'9'.repeat(127)}`])(
  '%s is a valid name',
  (name) => {
    expect(isEventTypeName(name)).toBe(true);
  },
);

test.each(['', '9lives', '_hidden', 'a b', 'a/b', 'ä', 'a\0', 'a\n', `a${'9'.repeat(128)}`, 'events'])(
  '%j is not a valid name',
  (name) => {
    expect(isEventTypeName(name)).toBe(false);
  },
);
