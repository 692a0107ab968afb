import { expect, test } from 'vitest';
import { objectOf } from './object-of.ts';

const names = new Map([
  ['u-1', 'ada@example.com'],
  ['key k-1', 'CI (tk_adm_abcde)'],
]);

test('the object of an action has the name of the account, key, policy or type', () => {
  expect(objectOf({ accountId: 'u-1', role: 'admin' }, names)).toBe('ada@example.com → admin');
  expect(objectOf({ keyId: 'k-1', overlapSeconds: 60 }, names)).toBe('CI (tk_adm_abcde)');
  expect(objectOf({ accountId: 'u-2', reason: 'cheats' }, names)).toBe('u-2 cheats');
  expect(objectOf({ name: 'level_up', version: '2', status: 'retired' }, names)).toBe(
    'level_up v2 → retired',
  );
  expect(objectOf({ name: 'rates' }, names)).toBe('rates');
  expect(objectOf({ role: 'builtin:user' }, names)).toBe('');
  expect(objectOf({ role: 'builtin:admin' }, names)).toBe('→ admin');
  expect(objectOf({ name: 7, constructor: 'x' }, names)).toBe('');
});
