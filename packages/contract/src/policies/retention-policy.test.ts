import { expect, test } from 'vitest';
import { policyFault } from './project-policies.ts';
import { readRetention } from './retention-policy.ts';

test('a policy sets days for a project and for single types, and null keeps events forever', () => {
  expect(readRetention({ days: 90, types: { purchase: null, tick: 7 } }, 30)).toEqual({
    days: 90,
    types: new Map([
      ['purchase', null],
      ['tick', 7],
    ]),
  });
  expect(readRetention({ days: null }, 30)).toEqual({ days: null, types: new Map() });
});

test('a policy without days uses the default of the installation', () => {
  expect(readRetention({ types: { tick: 7 } }, 30)).toEqual({ days: 30, types: new Map([['tick', 7]]) });
  expect(readRetention({}, null)).toEqual({ days: null, types: new Map() });
});

test.each([
  [[], ''],
  [{ days: 0 }, 'days'],
  [{ days: 1.5 }, 'days'],
  [{ days: '90' }, 'days'],
  [{ days: 36_501 }, 'days'],
  [{ types: { tick: -1 } }, 'types.tick'],
  [{ types: ['tick'] }, 'types'],
  [{ day: 4 }, 'day'],
])('%j is refused at %j', (value, place) => {
  expect(readRetention(value, null)).toBeNull();
  expect(policyFault('retention', value)?.place).toBe(place);
});

test('a type can have the name of an inherited object property', () => {
  const retention = readRetention(JSON.parse('{"types": {"constructor": 3, "__proto__": 4}}'), null);
  expect([...(retention?.types ?? [])]).toEqual([
    ['constructor', 3],
    ['__proto__', 4],
  ]);
});
