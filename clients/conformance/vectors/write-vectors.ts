import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { checksumOf, lineOf, segmentVectors } from './segment-vectors.ts';

/** Writes the vectors with checksums below `folder`. The files are what other languages read; this code is only how they are made. */
export function writeVectors(folder: string): void {
  mkdirSync(join(folder, 'segments'), { recursive: true });
  const write = (name: string, value: unknown) =>
    writeFileSync(join(folder, name), `${JSON.stringify(value, null, 2)}\n`);
  const { files, ...segments } = segmentVectors();
  write('segments.json', segments);
  for (const [name, bytes] of files) writeFileSync(join(folder, 'segments', name), bytes);
  write('splits.json', splitVectors());
  write('events.json', eventVectors());
}

/** Texts that have broken other clients. `clients/conformance` uses them for `text` of event n: texts[n mod 8]. */
const texts = [
  'plain',
  'quote " backslash \\ slash /',
  'line\nfeed\ttab\rreturn',
  'Ünïcödé ßtraße',
  '弓の達人',
  '🏹👩‍🚀',
  'control \u0001 and delete \u007f and \u2028 separators',
  '',
];

/** Events and the exact line of a segment; other escapes of the same text are allowed if the line is valid JSON. */
function eventVectors() {
  const events = [
    ...texts.map((text, n) => ({ eventType: 'conformance', eventTypeVersion: 1, event: { n, text } })),
    {
      eventType: 'numbers',
      event: { big: 9007199254740991, negative: -1, ratio: 0.25, tiny: 1e-7, zero: 0 },
    },
    { eventType: 'nothing', event: {} },
    { eventType: 'deep', event: { list: [[1], [], [null]], map: { a: { b: true } } } },
  ].map((event) => ({ ...event, occurredAt: '2025-11-22T11:00:00.000Z' }));
  const lines = events.map((event) => ({ event, line: lineOf(JSON.stringify(event)) }));
  const checksums = ['', 'a', '123456789', ...texts].map((text) => ({
    text,
    crc32: checksumOf(text),
  }));
  return { texts, checksums, lines };
}

const key = 'ffeeddccbbaa99887766554433221100';
const splitHeader = '{"tickrate":1,"principal":"account:u-1","base":1763809200000}';

/** The text of a segment that was answered 413, and of the two that it becomes. */
function splitVectors() {
  const segment = (from: number, to: number) => {
    const events = Array.from(
      { length: to - from },
      (_, at) => `{"eventType":"e","event":{"n":${from + at}}}`,
    );
    return [splitHeader, ...events].map(lineOf).join('');
  };
  const name = (suffix: string) => `019aab3887800007-${key}${suffix}.seal`;
  const split = (suffix: string, from: number, to: number) => {
    const middle = from + Math.ceil((to - from) / 2);
    return {
      parent: { name: name(suffix), key: `${key}${suffix}`, text: segment(from, to) },
      children: [
        { name: name(`${suffix}.0`), key: `${key}${suffix}.0`, text: segment(from, middle) },
        { name: name(`${suffix}.1`), key: `${key}${suffix}.1`, text: segment(middle, to) },
      ],
    };
  };
  const lone = { parent: { name: name(''), key, text: segment(0, 1) }, children: [], lost: { rejected: 1 } };
  const recoveries = [
    { files: [name(''), name('.0')], kept: [name('')], note: 'killed after the first child was written' },
    {
      files: [name(''), name('.0'), name('.1')],
      kept: [name('')],
      note: 'killed before the parent was deleted',
    },
    { files: [name('.0'), name('.1')], kept: [name('.0'), name('.1')], note: 'the split is complete' },
    { files: [name('.1')], kept: [name('.1')], note: 'the first child was sent' },
    {
      files: [name('.0'), name('.0.0'), name('.1')],
      kept: [name('.0'), name('.1')],
      note: 'killed in a second split',
    },
  ];
  return {
    splits: [split('', 0, 2), split('', 0, 5), split('.0', 0, 3), split('.1', 3, 5), lone],
    recoveries,
  };
}
