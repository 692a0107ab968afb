import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import {
  checkedDocuments,
  checkedSources,
  findHardIdentifiers,
  findHardNames,
  findHardPhrases,
  hardPhrasesIn,
} from './plain-english.ts';

const root = join(import.meta.dirname, '..');

// Invariant (Tools): Documents contain none of the phrases that are hard to read
test.each(checkedDocuments(root))('%s is written in plain English', (path) => {
  expect(hardPhrasesIn(root, path)).toEqual([]);
});

test('the comments, test names, log messages and identifiers of the sources are written in plain English', () => {
  expect(checkedSources(root).flatMap((path) => hardPhrasesIn(root, path))).toEqual([]);
});

test('only the comments of a source are checked, at their lines', () => {
  const folder = mkdtempSync(join(tmpdir(), 'plain-english-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const source = [
    "const text = 'It goes on.';",
    '/**',
    ' * The wait goes',
    ' * on.',
    ' */',
    'wait(); /' + '/ is told',
  ];
  writeFileSync(join(folder, 'source.ts'), source.join('\n'));
  expect(hardPhrasesIn(folder, 'source.ts')).toEqual([
    'source.ts:3: write continues, not "goes on"',
    'source.ts:6: write receives, shows, reports, not "is told"',
  ]);
});

test('the documents of the repository are checked', () => {
  const files = checkedDocuments(root);
  expect(files).toEqual(
    expect.arrayContaining(['README.md', 'CHANGELOG.md', 'docs/events.md', 'docs/adr/template.md']),
  );
});

test.each([
  'Each sender is told what was rejected.',
  '`/v1/pipeline` tells where the accepted events are.',
  'Nobody tells what it costs.',
  'No image was to be had.',
  'The address is not to be had.',
  'Where that cannot be had, no query runs.',
  'It counts types that there are not.',
  'This comes of a cut connection.',
  'Confirm it, in place of leaving it to its deadline.',
  'Inserting goes on by itself.',
  'Inserting goes\non after a line break.',
  'The password stands in the file.',
  'The gateway takes in events.',
  'The worker minds the age of the queue.',
  'The limit, the same as the gateways have.',
  'A dropped table is never made anew.',
  'An invitation is good once.',
  'It is mailed. Who signs in with it becomes a member.',
  'Whoever makes one by a session becomes its owner.',
  'The views are others for who may not see them.',
  'What is stored stays stored.',
  'Rows arrive. What is rejected is counted.',
])('finds the fault of: %s', (sentence) => {
  expect(findHardPhrases(sentence)).not.toEqual([]);
});

test.each([
  'The gateway reports how many events it accepted.',
  'There is not enough memory.',
  'What is not defended',
  'What is an event and what is a row?',
  'A player who signs in with a password receives a code.',
  'Write the file. Requests are accepted by any gateway.',
  'The code `is told` is quoted.',
  'Do not write *goes on* or *stands in*.',
  '```sh\ntell what  # goes on\n```',
])('has no fault to find with: %s', (sentence) => {
  expect(findHardPhrases(sentence)).toEqual([]);
});

test('names the line of a phrase, behind code too', () => {
  const text = '# Title\n\n```sh\nnpm start\n```\n\nInserting goes on.\n';
  expect(findHardPhrases(text)).toEqual([{ line: 7, phrase: 'goes on', write: 'continues' }]);
});

test('finds hard phrases in test names and log messages, at their lines', () => {
  // Built from pieces, or this test would find itself.
  const source = [
    "TEST('the key is told so', async () => {});",
    "TEST.each([['a', 'tells all']])THEN('tells %s', (name) => {});",
    'TEST.skipIf(!redis)THEN(`nobody asks`, () => {});',
    "LOG.error({ err }, 'inserting goes on');",
    "LOG.info('started');",
    "TEST('a key is listed', () => expect(text).toBe('is told'));",
  ].join('\n');
  const written = source.replaceAll('TEST', 'test').replaceAll('LOG', 'logger').replaceAll('THEN', '');
  expect(findHardNames(written)).toEqual([
    { line: 1, phrase: 'is told', write: 'receives, shows, reports' },
    { line: 2, phrase: 'tells', write: 'reports, receives, is reported' },
    { line: 3, phrase: 'nobody', write: 'the caller, project or key that you mean' },
    { line: 4, phrase: 'goes on', write: 'continues' },
  ]);
});

test.each([
  'function tell() {}',
  'const isTold = 1;',
  'x.obeys();',
  'type ToldFault = 0;',
  'let PATIENCE_MS;',
])('the identifier in %j is hard to read', (source) => {
  expect(findHardIdentifiers(source)).toHaveLength(1);
});

test.each(["log('told');", '// whom', 'const stelle = 0;', 'outstanding();', '`tell`;', 'x = /told/g;'])(
  'no identifier in %j is hard to read',
  (source) => {
    expect(findHardIdentifiers(source)).toEqual([]);
  },
);

test('an identifier is reported once, at its first line', () => {
  expect(
    findHardIdentifiers('\nconst told = 1;\nuse(told);').map(({ line, phrase }) => [line, phrase]),
  ).toEqual([[2, 'told']]);
});
