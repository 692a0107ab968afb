import { expect, test } from 'vitest';
import { readRetentionPolicy } from './retention-policy.ts';

test('a policy says days for a project and for single types, and null keeps for ever', () => {
  const value = { days: 90, types: { purchase: null, tick: 7 } };
  expect(readRetentionPolicy(value, 30)).toEqual({ ok: true, policy: value });
  expect(readRetentionPolicy({ days: null }, 30)).toEqual({ ok: true, policy: { days: null, types: {} } });
});

test('a policy that says no days follows the installation', () => {
  expect(readRetentionPolicy({ types: { tick: 7 } }, 30)).toEqual({
    ok: true,
    policy: { days: 30, types: { tick: 7 } },
  });
  expect(readRetentionPolicy({}, null)).toEqual({ ok: true, policy: { days: null, types: {} } });
});

test.each([
  [[], ''],
  [null, ''],
  [{ days: 0 }, '/days'],
  [{ days: 1.5 }, '/days'],
  [{ days: '90' }, '/days'],
  [{ days: 36_501 }, '/days'],
  [{ types: { tick: -1 } }, '/types/tick'],
  [{ types: ['tick'] }, '/types'],
  [{ day: 4 }, '/day'],
])('%j is refused at %j', (value, pointer) => {
  expect(readRetentionPolicy(value, null)).toMatchObject({ ok: false, pointer });
});

test('a type may have the name of what every object inherits', () => {
  const result = readRetentionPolicy(JSON.parse('{"types": {"constructor": 3, "__proto__": 4}}'), null);
  expect(result.ok && Object.entries(result.policy.types)).toEqual([
    ['constructor', 3],
    ['__proto__', 4],
  ]);
});
