import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { typedFaultText } from './declaration-fault-texts.ts';

const folder = join(import.meta.dirname, '../../../../../packages/events/src/declaration/reading');
const files = ['read-annotations.ts', 'read-declaration.ts', 'read-scalar.ts'];
const sentences = files.flatMap((file) =>
  Array.from(
    readFileSync(join(folder, file), 'utf8').matchAll(
      /fault\(\s*[\w.]+,\s*(?:\w+|'[^']*'),\s*(['`])((?:(?!\1).)+)\1/g,
    ),
    ([, , sentence = '']) => sentence.replaceAll(/\$\{[^}]+\}/g, '7'),
  ),
);

test('every sentence about a declaration has a German one', () => {
  expect(sentences.length).toBeGreaterThan(40);
  expect(sentences.filter((message) => typedFaultText(message, 'de') === message)).toEqual([]);
});

test('values stay in the German sentence, and another sentence is unchanged', () => {
  expect(typedFaultText('must NOT have fewer than 3 characters', 'de')).toBe(
    'muss mindestens 3 Zeichen haben',
  );
  expect(typedFaultText('names "a", which is not a property', 'de')).toBe(
    'nennt „a“, das nicht deklariert ist',
  );
  expect(typedFaultText('something new', 'de')).toBe('something new');
  expect(typedFaultText('must be integer', 'en')).toBe('must be integer');
});
