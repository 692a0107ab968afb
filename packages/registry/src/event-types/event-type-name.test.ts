import { expect, test } from 'vitest';
import { isEventTypeName } from './event-type-name.ts';

test.each(['a', 'Level_Up', 'level.up', 'shop-open', 'events_', 'system_error', `a${'9'.repeat(127)}`])(
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

test.each([
  'events',
  'Events',
  'EVENTS',
  'system',
  'System',
  'default',
  'tickrate',
  'numbers',
  'Numbers_MT',
  'information_schema',
  'INFORMATION_SCHEMA',
  'Events_Local',
  'migrations',
])('%s is reserved in any case: a query could mean something else by it', (name) => {
  expect(isEventTypeName(name)).toBe(false);
});
