import { expect, test } from 'vitest';
import { isPolicyName, policyFault } from './project-policies.ts';

test.each([
  ['rates', {}],
  ['rates', { perAddress: 0, perKey: null, perProject: 200 }],
  ['quotas', { eventsPerDay: 0 }],
  ['quotas', { eventsPerDay: 10, eventsPerMonth: 9_007_199_254_740_991 }],
] as const)('%s may be %j', (name, value) => {
  expect(policyFault(name, value)).toBeNull();
});

test.each([
  ['rates', { perKey: -1 }, 'perKey'],
  ['rates', { perKey: '10' }, 'perKey'],
  ['rates', { perAdress: 10 }, 'perAdress'],
  ['quotas', { eventsPerDay: 1.5 }, 'eventsPerDay'],
  ['quotas', [], ''],
  ['quotas', null, ''],
] as const)('%s may not be %j, and the fault names the place', (name, value, where) => {
  expect(policyFault(name, value)?.place).toBe(where);
});

test('only the names in the catalogue have a schema', () => {
  expect(
    ['rates', 'quotas', 'retention', 'erasure', 'sessions', 'tempo', 'toString'].map(isPolicyName),
  ).toEqual([true, true, true, true, true, false, false]);
});
