import { expect, test } from 'vitest';
import { valueTexts } from '../../../texts/value-texts.ts';
import { objectOf } from './object-of.ts';

const names = new Map([
  ['u-1', 'ada@example.com'],
  ['key k-1', 'CI (tk_adm_abcde)'],
  ['dashboard d-1', 'Levels'],
]);

test('the object of an action has the name of the account, key, policy or type', () => {
  const of = (details: object, act = 'editMember') => objectOf({ act, details }, names, valueTexts.english);
  expect(of({ accountId: 'u-1', role: 'admin' })).toBe('ada@example.com → Admin');
  expect(of({ keyId: 'k-1', overlapSeconds: 60 })).toBe('CI (tk_adm_abcde)');
  expect(of({ accountId: 'u-2', reason: 'cheats' })).toBe('u-2 cheats');
  expect(of({ name: 'level_up', version: '2', status: 'retired' })).toBe('level_up v2 → retired');
  expect(of({ reason: 'tokenInvalid', role: 'builtin:user' }, 'signInRefused')).toBe('token invalid');
  expect(of({ name: 'rates' }, 'setPolicy')).toBe('Rates');
  expect(of({ name: 'rates' }, 'declareEventType')).toBe('rates');
  expect(of({ invited: 'b…@example.com', role: 'admin' })).toBe('b…@example.com → Admin');
  expect(of({ dashboardId: 'd-1' })).toBe('Levels');
  expect(of({ filter: { type: 'level_up' } })).toBe('level_up');
  expect(of({ types: ['level_up', 'purchase'] })).toBe('level_up, purchase');
  expect(of({ provider: 'steam' })).toBe('steam');
  expect(of({ role: 'builtin:user' })).toBe('');
  expect(of({ role: 'builtin:admin' })).toBe('→ Admin');
  expect(of({ name: 7, constructor: 'x' })).toBe('');
});
