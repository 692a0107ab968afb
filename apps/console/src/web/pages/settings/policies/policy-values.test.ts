import { expect, test } from 'vitest';
import { problemOf } from '../../../api/problem.ts';
import { applyChanges, cleanValue, faultAt, readNumber } from './policy-values.ts';

test('edits keep members that others changed, and take hostile names as names', () => {
  const stored = { steam: { appIds: ['1'], profile: false }, device: true };
  const changes = [
    { path: ['steam', 'appIds'], to: ['2'] },
    { path: ['device'], to: undefined },
    { path: ['openId', '__proto__', 'clientIds'], to: ['x'] },
  ];
  const value = applyChanges(stored, changes);
  expect(JSON.stringify(value)).toBe(
    '{"steam":{"appIds":["2"],"profile":false},"openId":{"__proto__":{"clientIds":["x"]}}}',
  );
  expect(stored).toEqual({ steam: { appIds: ['1'], profile: false }, device: true });
});

test('lists lose their empty lines, and numbers keep what is none', () => {
  expect(cleanValue({ a: { ids: [' 1 ', ''] }, b: 2 })).toEqual({ a: { ids: ['1'] }, b: 2 });
  expect([' 7 ', '-1', '1e3'].map(readNumber)).toEqual([7, '-1', '1e3']);
});

test('a refusal belongs to the field that it names, not to one whose name begins alike', () => {
  const problem = problemOf(
    400,
    JSON.stringify({
      code: 1003,
      message: 'invalid',
      data: {
        reason: 'parameterInvalid',
        parameterName: 'value.steam.appIds.0',
        parameterInvalidReason: 'no id',
      },
    }),
  );
  expect(faultAt(problem, ['steam', 'appIds'])).toBe('no id');
  expect(faultAt(problem, ['steam', 'appId'])).toBeNull();
  expect(faultAt(null, ['steam'])).toBeNull();
});
