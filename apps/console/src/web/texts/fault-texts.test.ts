import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { faultText, reasonName } from './fault-texts.ts';

const root = join(import.meta.dirname, '../../../../..');
const sources = [
  'packages/events/src/declaration/explain-event.ts',
  'packages/pipeline/src/quarantine/samples/encode-rejected.ts',
  'packages/pipeline/src/quarantine/replays/replay-quarantined.ts',
  'apps/gateway/src/reading/multi-element.ts',
  'apps/gateway/src/calls/insert-query.ts',
];
const sentences = sources.flatMap((path) =>
  Array.from(
    readFileSync(join(root, path), 'utf8').matchAll(
      /['`]((?:is|must|only its|what was|the payload) [^'`\n]+)['`]/g,
    ),
    ([, sentence = '']) => sentence.replaceAll(/\$\{[^}]+\}/g, '7'),
  ),
);

test('every sentence about a rejected event has a German one', () => {
  expect(sentences.length).toBeGreaterThan(25);
  const english = sentences.filter((message) => faultText({ reason: 'other', message }, 'de') === message);
  expect(english).toEqual([]);
});

test('numbers and patterns stay in the German sentence', () => {
  const de = (message: string) => faultText({ reason: 'range', message }, 'de');
  expect(de('must be between 1 and 50')).toBe('muss zwischen 1 und 50 liegen');
  expect(de('must match ^[a-z]+$')).toBe('muss zu ^[a-z]+$ passen');
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
