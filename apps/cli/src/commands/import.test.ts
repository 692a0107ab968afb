import { appendFileSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync, zstdCompressSync } from 'node:zlib';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Asked, RefusedAnswer, runAgainst } from '../command-harness.ts';
import { readCsv } from '../importing/read-records.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tickrate-import-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function fileOf(text: string | Uint8Array, name = 'export'): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

interface Element {
  readonly eventType: string;
  readonly occurredAt?: unknown;
  readonly event: unknown;
}
const eventsOf = (asked: readonly Asked[]) => asked.flatMap(({ body }) => body as Element[]);
const accept = ({ body }: Asked) => ({ accepted: (body as unknown[]).length, rejected: [] });

test('maps columns of CSV, with quotes and line breaks, to members of their type', async () => {
  const path = fileOf(
    'when,lvl,name,won\r\n1767225600,7,"Ada ""the"" ranger,\nof bows",true\r\n2026-01-02 03:04:05,8,,0\r\n',
  );
  const args = ['import', 'csv', path, '--type', 'level_up', '--time', 'when'];
  const maps = ['level=lvl:int', 'name=name', 'won=won:bool'].flatMap((map) => ['--map', map]);
  const { asked, out } = await runAgainst(accept, [...args, ...maps]);
  expect(eventsOf(asked)).toEqual([
    {
      eventType: 'level_up',
      occurredAt: 1_767_225_600_000,
      event: { level: 7, name: 'Ada "the" ranger,\nof bows', won: true },
    },
    { eventType: 'level_up', occurredAt: '2026-01-02T03:04:05Z', event: { level: 8, won: false } },
  ]);
  expect(out).toContain('2 events accepted, 0 rejected.');
});

test('a run after a failure continues, and repeats its block under the same key', async () => {
  const path = fileOf(Array.from({ length: 2_500 }, (_, n) => JSON.stringify({ n })).join('\n'));
  const args = ['import', 'ndjson', path, '--type', 'level'];
  const isSecond = (asked: Asked) => JSON.stringify(eventsOf([asked])[0]?.event) === '{"n":1000}';
  const first = await runAgainst((asked) => (isSecond(asked) ? {} : accept(asked)), args);
  const failed = first.asked[1];
  expect([first.code, existsSync(`${path}.import-progress`)]).toEqual([69, true]);
  const second = await runAgainst(accept, args);
  expect(second.asked[0]).toEqual(failed);
  expect(second.asked.map(({ body }) => (body as unknown[]).length)).toEqual([1_000, 500]);
  expect(second.out).toContain('Continued after 1 blocks');
  const third = await runAgainst(accept, args);
  expect(third.asked[1]).toEqual(failed);
});

test('refuses a file that has grown, whose last block would be stored twice', async () => {
  const path = fileOf('{"n":1}\n{"n":2}\n');
  const args = ['import', 'ndjson', path, '--type', 'level'];
  await runAgainst(accept, args);
  appendFileSync(path, '{"n":3}\n');
  const { code, asked, complaint } = await runAgainst(accept, args);
  expect([code, asked]).toEqual([64, []]);
  expect(complaint).toContain('has grown since it was imported');
  rmSync(`${path}.import-progress`);
  expect((await runAgainst(accept, args)).code).toBe(0);
});

const exports = [
  [
    'gameanalytics',
    { arrival_ts: 1, data: { category: 'design', client_ts: 1_767_225_600, event_id: 'kill:boss' } },
    {
      eventType: 'design',
      occurredAt: 1_767_225_600_000,
      event: { category: 'design', client_ts: 1_767_225_600, event_id: 'kill:boss' },
    },
  ],
  [
    'playfab',
    { EventName: 'player_logged_in', Timestamp: '2026-01-01T00:00:00Z', EntityId: 'X' },
    {
      eventType: 'player_logged_in',
      occurredAt: '2026-01-01T00:00:00Z',
      event: { EventName: 'player_logged_in', Timestamp: '2026-01-01T00:00:00Z', EntityId: 'X' },
    },
  ],
  [
    'posthog',
    { event: 'Level Up', distinct_id: 'a', timestamp: '2026-01-01T00:00:00Z', properties: { level: 7 } },
    { eventType: 'level_up', occurredAt: '2026-01-01T00:00:00Z', event: { level: 7 } },
  ],
  [
    'posthog',
    { event: 'Level Up', timestamp: '2026-01-01T00:00:00Z', properties: '{"level":7,"id":9007199254740993}' },
    {
      eventType: 'level_up',
      occurredAt: '2026-01-01T00:00:00Z',
      event: { level: 7, id: '9007199254740993' },
    },
  ],
  [
    'playfab',
    { FullName: { Name: 'won' }, Timestamp: '2026-01-01T00:00:00Z', Id: '1', Payload: { boss: 'dragon' } },
    { eventType: 'won', occurredAt: '2026-01-01T00:00:00Z', event: { boss: 'dragon' } },
  ],
  [
    'playfab',
    { FullName_Name: 'won', Timestamp: '2026-01-01T00:00:00Z', EventData: '{"boss":"dragon"}' },
    { eventType: 'won', occurredAt: '2026-01-01T00:00:00Z', event: { boss: 'dragon' } },
  ],
] as const;

test.each(exports)('reads the export of %s', async (from, record, event) => {
  const { asked } = await runAgainst(accept, [
    'import',
    'ndjson',
    fileOf(JSON.stringify(record)),
    '--from',
    from,
  ]);
  expect(eventsOf(asked)).toEqual([event]);
});

test('maps a path into a text of JSON', async () => {
  const path = fileOf('event,properties\nWon,"{""stage"":{""level"":7}}"\n');
  const args = ['import', 'csv', path, '--from', 'posthog', '--map', 'level=properties.stage.level'];
  const { asked } = await runAgainst(accept, args);
  expect(eventsOf(asked)).toEqual([{ eventType: 'won', event: { level: 7 } }]);
});

const packed = [
  ['gz', gzipSync],
  ['br', brotliCompressSync],
  ['zst', zstdCompressSync],
] as const;

test.each(packed)(
  'reads a file that is compressed as .%s, and reports a damaged one',
  async (ending, compress) => {
    const text = Array.from({ length: 2_500 }, (_, n) => JSON.stringify({ n })).join('\n');
    const bytes = compress(text);
    const args = (path: string) => ['import', 'ndjson', path, '--type', 'level'];
    const whole = await runAgainst(accept, args(fileOf(bytes, `export.${ending}`)));
    expect([whole.code, eventsOf(whole.asked).length]).toEqual([0, 2_500]);
    const cut = await runAgainst(accept, args(fileOf(bytes.subarray(0, bytes.length / 2), `cut.${ending}`)));
    expect(cut.code).toBe(1);
    expect(cut.complaint).toContain(`cut.${ending} cannot be read to its end: `);
  },
);

const errors = [
  {
    domain: 'event',
    location: '/0/event/level',
    locationType: 'body',
    message: 'is required',
    reason: 'missing',
  },
];

test.each([
  [2, 'Nothing was imported: every record was rejected.'],
  [1, '1 events accepted, 1 rejected.'],
])('fails and reports it when %d of 2 records are rejected', async (count, said) => {
  const rejected = Array.from({ length: count }, (_, index) => ({ index, errors }));
  const args = ['import', 'ndjson', fileOf('{}\n{}\n'), '--type', 't'];
  const { code, out } = await runAgainst(() => ({ accepted: 2 - count, rejected }), args);
  expect(code).toBe(1);
  expect(out).toContain(said);
});

test('a file without records imports nothing, and reports it', async () => {
  const { code, out, asked } = await runAgainst(accept, ['import', 'ndjson', fileOf('\n'), '--type', 't']);
  expect([code, asked]).toEqual([1, []]);
  expect(out).toContain('Nothing was imported: the file has no records.');
});

test('reports rejected events by reason, and times that were limited', async () => {
  const answer = {
    accepted: 1,
    rejected: [{ index: 0, errors }],
    notices: [{ notice: 'occurredClamped', count: 1 }],
  };
  const { out } = await runAgainst(() => answer, ['import', 'ndjson', fileOf('{}\n{}\n'), '--type', 't']);
  expect(out).toBe(
    '1 events accepted, 1 rejected.\n1 times were limited to the last 30 days.\n      1  t /event/level: is required (line 1)\n',
  );
});

const refusal = (status: number, code: number, data = {}) =>
  new RefusedAnswer(status, { error: 'x', code, message: 'The body is not valid JSON', data });

test('rejects the records alone that make the gateway refuse their request, under the same keys in each run', async () => {
  const lines = Array.from({ length: 1_500 }, (_, n) =>
    JSON.stringify({ n, ...(n % 400 === 7 && { bad: true }) }),
  );
  const args = ['import', 'ndjson', fileOf(lines.join('\n')), '--type', 't'];
  const answer = (asked: Asked) =>
    JSON.stringify(asked.body).includes('bad') ? refusal(400, 1001) : accept(asked);
  const first = await runAgainst(answer, args);
  expect(first.code).toBe(1);
  expect(first.out).toContain('1496 events accepted, 4 rejected.');
  expect(first.out).toContain('1001 The body is not valid JSON (lines 8, 408, 808, 1208)');
  const second = await runAgainst(answer, args);
  expect(second.asked).toEqual(first.asked);
});

test('waits as long as the gateway asks, and sends the same block again', async () => {
  let refusals = 2;
  const answer = (asked: Asked) =>
    refusals-- > 0 ? refusal(429, 6002, { retryAfterSeconds: 0 }) : accept(asked);
  const { code, asked } = await runAgainst(answer, ['import', 'ndjson', fileOf('{"n":1}'), '--type', 't']);
  expect([code, asked.length]).toEqual([0, 3]);
  expect(asked[2]).toEqual(asked[0]);
});

test('stops at a refusal that has nothing to do with an event', async () => {
  const args = ['import', 'ndjson', fileOf('{"n":1}\n{"n":2}'), '--type', 't'];
  const { code, asked, complaint } = await runAgainst(() => refusal(401, 2002), args);
  expect([code, asked.length]).toEqual([1, 1]);
  expect(complaint).toContain('2002');
});

test('sends nothing without a type', async () => {
  const none = await runAgainst(accept, ['import', 'csv', fileOf('a\n1\n')]);
  expect([none.code, none.asked]).toEqual([64, []]);
});

const invalidFiles: readonly (readonly [string, string, string, readonly string[]])[] = [
  [
    'ndjson',
    '{"n":1}\n[1]\n{"n":2}\nnot json\n\n{"n":3\nnull\n{"n":4}',
    '/: is not a JSON object (lines 2, 4, 6, 7)',
    ['--type', 't'],
  ],
  [
    'csv',
    'n,name\n1,one\n2\n3,three,more\n4,four\n',
    '/: has another number of columns than the first row (rows 3, 4)',
    ['--type', 't'],
  ],
  [
    'ndjson',
    '{"event":"a","properties":{}}\n{"properties":{}}\n{"event":"b","properties":{}}',
    '/eventType: is in none of event (line 2)',
    ['--from', 'posthog'],
  ],
];

test.each(invalidFiles)(
  'reports invalid records of %s by number and imports the others: %j',
  async (...row) => {
    const [format, text, reason, options] = row;
    const args = ['import', format, fileOf(text), ...options];
    const { code, out, asked } = await runAgainst(accept, args);
    const count = text.split('\n').filter((line) => line !== '').length - (format === 'csv' ? 1 : 0);
    const rejected = reason.split(',').length;
    expect(code).toBe(1);
    expect(out).toContain(`${count - rejected} events accepted, ${rejected} rejected.`);
    expect(out).toContain(`${rejected}  ${reason}`);
    expect(eventsOf(asked)).toHaveLength(count - rejected);
  },
);

test('reports the lines that the gateway rejects, after empty and invalid lines too', async () => {
  const path = fileOf('{"n":1}\n\n[]\n{"n":2}\n{"n":3}');
  const args = ['import', 'ndjson', path, '--type', 't', '--json'];
  const { code, out } = await runAgainst(() => ({ accepted: 2, rejected: [{ index: 1, errors }] }), args);
  expect(code).toBe(1);
  expect(JSON.parse(out)).toMatchObject({
    accepted: 2,
    rejected: 2,
    reasons: [
      { reason: '/: is not a JSON object', count: 1, places: [3] },
      { reason: 't /event/level: is required', count: 1, places: [4] },
    ],
  });
});

test('a corrected line changes the key of its own block only', async () => {
  const lines = Array.from({ length: 2_500 }, (_, n) => JSON.stringify({ n }));
  const args = (path: string) => ['import', 'ndjson', path, '--type', 'level'];
  const broken = await runAgainst(accept, args(fileOf(lines.with(7, '{"n":').join('\n'))));
  const mended = await runAgainst(accept, args(fileOf(lines.join('\n'), 'mended')));
  expect(broken.asked.map(({ body }) => (body as unknown[]).length)).toEqual([999, 1_000, 500]);
  expect(broken.asked.slice(1)).toEqual(mended.asked.slice(1));
});

test('reads lines with Unicode line separators, a byte order mark and carriage returns', async () => {
  const names = ['a\u2028b', 'c\u2029d', 'e\u0085f'];
  const text = names.map((name) => `{"name":"${name}"}`).join('\r\n');
  const { code, asked } = await runAgainst(accept, [
    'import',
    'ndjson',
    fileOf(`\ufeff${text}`),
    '--type',
    't',
  ]);
  expect([code, eventsOf(asked).map(({ event }) => event)]).toEqual([0, names.map((name) => ({ name }))]);
});

test('keeps every digit of an integer above 2^53', async () => {
  const path = fileOf(
    '{"id":9007199254740993,"in":{"list":[-18014398509481985,1.5]},"text":"1234567890123456789"}',
  );
  const { asked } = await runAgainst(accept, ['import', 'ndjson', path, '--type', 'level']);
  expect(eventsOf(asked)[0]?.event).toEqual({
    id: '9007199254740993',
    in: { list: ['-18014398509481985', 1.5] },
    text: '1234567890123456789',
  });
});

test('reads any fields from CSV, in pieces of any size', async () => {
  const field = fc.string({ unit: fc.constantFrom('a', '"', ',', '\n', '\r\n', ' ', 'é') });
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(field, field), { minLength: 1, maxLength: 5 }),
      fc.integer({ min: 1, max: 7 }),
      async (rows, size) => {
        const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
        const text = ['a,b', ...rows.map((row) => row.map(quoted).join(','))].join('\r\n');
        const pieces = Array.from({ length: Math.ceil(text.length / size) }, (_, n) =>
          text.slice(n * size, (n + 1) * size),
        );
        const read: unknown[] = [];
        async function* source() {
          yield* pieces;
        }
        for await (const { record } of readCsv(source())) read.push([record?.['a'], record?.['b']]);
        expect(read).toEqual(rows.map((row) => [...row]));
      },
    ),
  );
});
