import { crc32 } from 'node:zlib';

interface ExpectedSegment {
  readonly file: string;
  readonly note: string;
  /** Null if the file is set aside (`aside`), left (`leave`) or deleted (`delete`). */
  readonly principal: string | null;
  readonly base: number | null;
  readonly events: number;
  /** The length of the file once it is cut. */
  readonly goodBytes: number;
  /** What is sent. */
  readonly body: string;
  readonly lost: Readonly<Record<string, number>>;
  readonly outcome: 'send' | 'aside' | 'leave' | 'delete';
}

const key = '00112233445566778899aabbccddeeff';
const header = '{"tickrate":1,"principal":"device:0badcafe","base":1763809200000}';
const events = [
  '{"eventType":"level_up","eventTypeVersion":3,"occurredAt":"2025-11-22T11:00:01.250Z","event":{"level":7,"character":"ranger"}}',
  '{"eventType":"level_up","eventTypeVersion":3,"occurredAt":"2025-11-22T11:00:02.000Z","event":{"level":8,"character":"Žofie \\"the\\" 弓 🏹"}}',
  '{"eventType":"quit","occurredAt":"2025-11-22T11:00:03.999Z","event":{}}',
];

/** Segments that are good, torn or edited, and what recovery makes of them; file names that are and are not segments. */
export function segmentVectors() {
  const cases = [...goodCases(), ...tornCases(), ...editedCases(), ...headerCases(), ...powerCutCases()];
  const written = cases.map(({ note, text, suffix = 'open', ...expected }, n) => {
    const file = `019aab388780${n.toString(16).padStart(4, '0')}-${key}.${suffix}`;
    const count = expected.events ?? 0;
    const segment: ExpectedSegment = {
      file,
      note,
      principal: 'device:0badcafe',
      base: 1763809200000,
      events: count,
      goodBytes: Buffer.byteLength(textOf(count)),
      body: bodyOf(count),
      lost: {},
      outcome: count === 0 ? 'delete' : 'send',
      ...expected,
    };
    return { file, bytes: Buffer.from(text), segment };
  });
  return {
    files: written.map(({ file, bytes }) => [file, bytes] as const),
    names: nameVectors,
    segments: written.map(({ segment }) => segment),
  };
}

interface SegmentCase extends Partial<ExpectedSegment> {
  readonly note: string;
  readonly text: string | Buffer;
  readonly suffix?: 'open' | 'seal';
}

export function checksumOf(text: string): string {
  return crc32(text).toString(16).padStart(8, '0');
}

/** A line of a segment. */
export function lineOf(json: string): string {
  return `${checksumOf(json)} ${json}\n`;
}

/** A whole segment with so many events. */
function textOf(count: number): string {
  return [header, ...events.slice(0, count)].map(lineOf).join('');
}

function bodyOf(count: number): string {
  return events
    .slice(0, count)
    .map((json) => `${json}\n`)
    .join('');
}

const unread = { principal: null, base: null, events: 0, goodBytes: 0, body: '' } as const;
const aside = { ...unread, suffix: 'seal', outcome: 'aside' } as const;

function goodCases(): SegmentCase[] {
  return [
    { note: 'good, open', text: textOf(3), events: 3 },
    { note: 'good, sealed', text: textOf(3), events: 3, suffix: 'seal' },
    { note: 'one event', text: textOf(1), events: 1 },
    { note: 'only the header', text: textOf(0) },
    { note: 'empty', text: '', ...unread, outcome: 'delete' },
  ];
}

function tornCases(): SegmentCase[] {
  const lost = { torn: 1 };
  const zeros = '\0'.repeat(64);
  return [
    { note: 'the last line has no line feed', text: textOf(3).slice(0, -1), events: 2, lost },
    { note: 'the last line is half written', text: textOf(3).slice(0, -40), events: 2, lost },
    { note: 'only the checksum of the last line was written', text: `${textOf(2)}5d0c91be`, events: 2, lost },
    {
      note: 'cut in a character of several bytes',
      text: Buffer.from(textOf(2)).subarray(0, -8),
      events: 1,
      lost,
    },
    { note: 'an unused end of zero bytes, as in a mapped file', text: `${textOf(2)}${zeros}`, events: 2 },
    {
      note: 'a torn line before zero bytes',
      text: `${textOf(1)}5d0c91be {"eventTy${zeros}`,
      events: 1,
      lost,
    },
    {
      note: 'the header is half written',
      text: lineOf(header).slice(0, 30),
      ...unread,
      lost,
      outcome: 'delete',
    },
    {
      note: 'the checksum matches, but the line is not an object',
      text: `${textOf(1)}${lineOf('[1]')}`,
      events: 1,
      lost,
    },
  ];
}

function editedCases(): SegmentCase[] {
  const edited = textOf(3).replace('"level":8', '"level":9');
  return [
    { note: 'a line was edited by hand in an open file', text: edited, events: 1, lost: { torn: 1 } },
    {
      note: 'a line was edited by hand in a sealed file',
      text: edited,
      events: 1,
      lost: { damaged: 2 },
      suffix: 'seal',
    },
    {
      note: 'a sealed file lost its end',
      text: textOf(3).slice(0, -40),
      events: 2,
      lost: { damaged: 1 },
      suffix: 'seal',
    },
    {
      note: 'the first event of a sealed file was edited',
      text: textOf(2).replace('"level":7', '"level":70'),
      lost: { damaged: 2 },
      suffix: 'seal',
    },
  ];
}

function headerCases(): SegmentCase[] {
  const [first = '', , quit = ''] = events;
  const wider = lineOf('{"tickrate":1,"principal":"key","base":5,"later":true}') + lineOf(quit);
  return [
    {
      note: 'an editor wrote CR LF',
      text: textOf(2).replaceAll('\n', '\r\n'),
      ...aside,
      lost: { damaged: 3 },
    },
    { note: 'an editor wrote a byte order mark', text: `\ufeff${textOf(2)}`, ...aside, lost: { damaged: 3 } },
    {
      note: 'checksums in capital letters',
      text: textOf(1).replace(/^[0-9a-f]{8}/gm, (hex) => hex.toUpperCase()),
      ...aside,
      lost: { damaged: 2 },
    },
    {
      note: 'a header without a principal',
      text: lineOf('{"tickrate":1,"base":1}') + lineOf(first),
      ...aside,
      lost: { damaged: 2 },
    },
    {
      note: 'a later version of the format',
      text: `${lineOf('{"tickrate":2,"principal":"key","base":1}')}anything\n`,
      ...aside,
      outcome: 'leave',
    },
    {
      note: 'a header with unknown members',
      text: wider,
      principal: 'key',
      base: 5,
      events: 1,
      body: `${quit}\n`,
      goodBytes: wider.length,
    },
  ];
}

/** A sealed file has at least one event: without any, it lost at least one. */
function powerCutCases(): SegmentCase[] {
  const zeros = '\0'.repeat(64);
  const empty = { ...unread, outcome: 'delete' } as const;
  const sealed = { suffix: 'seal', lost: { damaged: 1 } } as const;
  return [
    { note: 'a sealed file is empty', text: '', ...empty, ...sealed },
    { note: 'a sealed file has only zero bytes', text: zeros, ...empty, ...sealed },
    { note: 'a sealed file has half of its header', text: lineOf(header).slice(0, 30), ...empty, ...sealed },
    { note: 'a sealed file has only its header', text: textOf(0), ...sealed },
    { note: 'a sealed file ends with zero bytes', text: `${textOf(2)}${zeros}`, events: 2, ...sealed },
    { note: 'an open file has only zero bytes, as one that was prepared', text: zeros, ...empty },
  ];
}

const nameVectors = [
  { name: `019aab3887800000-${key}.open`, timeMs: 1763809200000, number: 0, key, sealed: false },
  { name: `019aab388780ffff-${key}.seal`, timeMs: 1763809200000, number: 65535, key, sealed: true },
  { name: `019aab3887800001-${key}.0.seal`, timeMs: 1763809200000, number: 1, key: `${key}.0`, sealed: true },
  {
    name: `019aab3887800001-${key}.1.0.seal`,
    timeMs: 1763809200000,
    number: 1,
    key: `${key}.1.0`,
    sealed: true,
  },
  ...[
    `019aab3887800001-${key}.2.seal`,
    `019aab3887800001-${key}.seal.tmp`,
    `019AAB3887800001-${key}.seal`,
    `019aab388780001-${key}.seal`,
    `019aab3887800001-${key.slice(1)}.seal`,
    `019aab3887800001-${key}.sealed`,
    'lock',
    '.DS_Store',
    '',
  ].map((name) => ({ name, timeMs: null })),
];
