import { expect, test } from 'vitest';
import { policyFault } from './project-policies.ts';
import { readRetention } from './retention-policy.ts';

test('a policy says days for a project and for single types, and null keeps for ever', () => {
  expect(readRetention({ days: 90, types: { purchase: null, tick: 7 } }, 30)).toEqual({
    days: 90,
    types: new Map([
      ['purchase', null],
      ['tick', 7],
    ]),
  });
  expect(readRetention({ days: null }, 30)).toEqual({ days: null, types: new Map() });
});

test('a policy that says no days follows the installation', () => {
  expect(readRetention({ types: { tick: 7 } }, 30)).toEqual({ days: 30, types: new Map([['tick', 7]]) });
  expect(readRetention({}, null)).toEqual({ days: null, types: new Map() });
});

test.each([
  [[], ''],
  [{ days: 0 }, '/days'],
  [{ days: 1.5 }, '/days'],
  [{ days: '90' }, '/days'],
  [{ days: 36_501 }, '/days'],
  [{ types: { tick: -1 } }, '/types/tick'],
  [{ types: ['tick'] }, '/types'],
  [{ day: 4 }, ''],
])('%j is refused at %j', (value, pointer) => {
  expect(readRetention(value, null)).toBeNull();
  expect(policyFault('retention', value)?.startsWith(`${pointer} `.trimStart())).toBe(true);
});

test('a type may have the name of what every object inherits', () => {
  const retention = readRetention(JSON.parse('{"types": {"constructor": 3, "__proto__": 4}}'), null);
  expect([...(retention?.types ?? [])]).toEqual([
    ['constructor', 3],
    ['__proto__', 4],
  ]);
});
