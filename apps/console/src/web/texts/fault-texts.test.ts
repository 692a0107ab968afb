import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { faultText, reasonName } from './fault-texts.ts';
import { loadGerman } from './load-german.ts';

beforeAll(loadGerman);

const root = join(import.meta.dirname, '../../../../..');
const events = [
  'packages/events/src/declaration/explain-event.ts',
  'packages/pipeline/src/quarantine/samples/encode-rejected.ts',
  'packages/pipeline/src/quarantine/replays/replay-quarantined.ts',
  'apps/gateway/src/reading/multi-element.ts',
  'apps/gateway/src/calls/insert-query.ts',
];
const reading = 'packages/events/src/declaration/reading';
const declarations = ['read-annotations.ts', 'read-declaration.ts', 'read-scalar.ts'].map(
  (file) => `${reading}/${file}`,
);
const german = (message: string) => faultText({ message }, 'de');

test.each([
  ['a rejected event', events, /(['`])((?:is|must|only its|what was|the payload) [^'`\n]+)\1/g, 25],
  ['a declaration', declarations, /fault\(\s*[\w.]+,\s*(?:\w+|'[^']*'),\s*(['`])((?:(?!\1).)+)\1/g, 40],
])('every sentence about %s has a German one', (_name, paths, pattern, least) => {
  const sources = paths.map((path) => readFileSync(join(root, path), 'utf8')).join('\n');
  const sentences = Array.from(sources.matchAll(pattern), ([, , sentence = '']) =>
    sentence.replaceAll(/\$\{[^}]+\}/g, '7'),
  );
  expect(sentences.length).toBeGreaterThan(least);
  expect(sentences.filter((message) => german(message) === message)).toEqual([]);
});

test.each([
  ['must be between 1 and 50', 'muss zwischen 1 und 50 liegen'],
  ['must match ^[a-z]+$', 'muss zu ^[a-z]+$ passen'],
  ['must match pattern ^[a-z]+$', 'muss zum Muster ^[a-z]+$ passen'],
  ['must be a string', 'muss ein Text sein'],
  ['must NOT have fewer than 3 characters', 'muss mindestens 3 Zeichen haben'],
  ['names "a", which is not a property', 'nennt „a“, das nicht deklariert ist'],
  ['something new', 'something new'],
])('the values of a sentence stay in the German one: %s', (message, expected) => {
  expect(german(message)).toBe(expected);
  expect(faultText({ message }, 'en')).toBe(message);
});

test('a rejection of the catalogue is in its words, and one of ClickHouse is unchanged', () => {
  const unknown = { reason: 'eventTypeNotFound', message: 'The event type is not declared' };
  expect(faultText(unknown, 'de')).toBe('Der Event-Typ ist nicht deklariert');
  expect(faultText({ reason: 'refusedRow', message: '27: cannot parse' }, 'de')).toBe('27: cannot parse');
  expect(faultText(unknown, 'en')).toBe(unknown.message);
});

test('a reason has a name in both languages, and an unknown one is its code', () => {
  expect(reasonName('typeMismatch', 'de')).toBe('falscher Typ');
  expect(reasonName('typeMismatch', 'en')).toBe('wrong type');
  expect(reasonName('newReason', 'en')).toBe('newReason');
});
