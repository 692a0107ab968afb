import { expect, test } from 'vitest';
import { createRememberedEvents } from './remembered-events.ts';

test('an acknowledged event that is not stored is missing, one that was never acknowledged is not', () => {
  const events = createRememberedEvents();
  const first = events.take(3);
  events.acknowledge(first, 2);
  expect(events.compare(new Map([[0, 1]]))).toMatchObject({
    missing: [1],
    doubled: [],
    unknown: [],
    rows: 1,
  });
});

test('an event that is stored twice is doubled, acknowledged or not', () => {
  const events = createRememberedEvents();
  events.take(2);
  events.acknowledge(0, 1);
  const stored = new Map([
    [0, 2],
    [1, 3],
  ]);
  expect(events.compare(stored)).toMatchObject({ missing: [], doubled: [0, 1], unknown: [], rows: 5 });
});

test('a row that was never sent is unknown', () => {
  const events = createRememberedEvents();
  events.take(1);
  expect(events.compare(new Map([[7, 1]])).unknown).toEqual([7]);
});

test('a stored event is refused only if every answer said that it was not accepted', () => {
  const events = createRememberedEvents();
  events.take(3);
  events.acknowledge(0, 1);
  events.doubt(1, 1);
  const stored = new Map([0, 1, 2].map((number) => [number, 1]));
  expect(events.compare(stored)).toMatchObject({ missing: [], doubled: [], unknown: [], refused: [2] });
});
