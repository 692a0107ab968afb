import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { changeGerman } from './change-german.ts';

const root = join(import.meta.dirname, '../../../../../..');
const source = readFileSync(join(root, 'packages/events/src/declaration/compare-declarations.ts'), 'utf8');
const codes = Array.from(source.matchAll(/change: '(\w+)'/g), ([, code = '']) => code);
const limits = Array.from(source.matchAll(/name: '(\w+)', direction/g), ([, name = '']) => name);

test('every change of a declaration has a German sentence', () => {
  expect(codes.length).toBeGreaterThan(18);
  expect(new Set(limits).size).toBe(8);
  const all = [...codes, ...limits.flatMap((name) => [`${name}Widened`, `${name}Narrowed`])];
  const unknown = { message: 'English', before: '1', after: '2' };
  expect(all.filter((change) => changeGerman({ ...unknown, change }) === null)).toEqual([]);
});

test('the sentence has the values of the change', () => {
  const change = {
    change: 'minimumWidened',
    message: 'minimum widened from 1 to 0',
    before: '1',
    after: '0',
  };
  expect(changeGerman(change)).toBe('der kleinste Wert war 1 und ist jetzt 0, also weiter');

  const retyped = { change: 'retyped', message: '', before: 'string', after: 'integer' };
  expect(changeGerman(retyped)).toBe('der Typ war Text und ist jetzt ganze Zahl');
  expect(changeGerman({ ...retyped, change: 'newCode' })).toBe(null);
});
