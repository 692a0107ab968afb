import { randomBytes, randomFillSync } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compileDeclaration } from '../declaration/reading/compile-declaration.ts';
import { createEventIds } from './event-ids.ts';
import { appendRow, createRowFrame, plainEnvelope } from './event-row.ts';
import { maskRows } from './mask-rows.ts';
import { readRows } from './read-rows.ts';
import { RowWriter } from './row-writer.ts';

const declared = compileDeclaration({
  type: 'object',
  properties: {
    level: { type: 'integer' },
    name: { type: 'string', 'x-personal': true },
    at: { type: 'string', format: 'date-time', 'x-occurred-at': true },
    place: {
      type: 'object',
      properties: { x: { type: 'number' }, street: { type: 'string', 'x-personal': true } },
    },
    friends: { type: 'array', items: { type: 'object', properties: { mail: { type: 'string' } } } },
    counts: { type: 'object', additionalProperties: { type: 'integer' } },
  },
});
if (!declared.ok) throw new Error('the declaration is not valid');
const { declaration } = declared;
const personal = new Set(declaration.columns.filter((column) => column.personal).map(({ path }) => path));
const ids = createEventIds(randomFillSync);

function rowsOf(events: readonly object[]): Buffer {
  const writer = new RowWriter();
  const sender = {
    projectId: 'p-1',
    keyLine: null,
    keyKind: 'session' as const,
    sessionId: 'us-secret',
    accountId: 'u-secret',
    clientAddress: '192.0.2.0',
    sdkName: 'unity',
    sdkVersion: '1.2',
    receivedMs: Date.UTC(2026, 0, 2),
    skewMs: 0,
  };
  const type = { name: 'match', version: 3, codec: declaration.codec(), hasOccurredAt: true };
  for (const event of events) {
    const source = Buffer.from(JSON.stringify(event));
    const end = appendRow(writer, createRowFrame(sender, type), {
      source,
      at: 0,
      envelope: plainEnvelope,
      ids,
    });
    if (end < 0) throw new Error(`not an event: ${source}`);
  }
  return Buffer.from(writer.bytes.subarray(0, writer.at));
}

const event = fc.record(
  {
    level: fc.integer(),
    name: fc.string({ maxLength: 200 }),
    at: fc.constantFrom('2026-01-01T00:00:00Z', '2026-01-01T12:30:00.125+02:00'),
    place: fc.record({ x: fc.integer(), street: fc.string() }, { requiredKeys: [] }),
    friends: fc.array(fc.record({ mail: fc.string() }), { maxLength: 4 }),
    counts: fc.dictionary(fc.string({ minLength: 1, maxLength: 8 }), fc.integer(), { maxKeys: 4 }),
  },
  { requiredKeys: [] },
);

// Invariant (Privacy): Masking keeps the exact bytes of everything else
test('masked rows differ from the rows only in personal data', () => {
  fc.assert(
    fc.property(fc.array(event, { maxLength: 5 }), (events) => {
      const rows = rowsOf(events);
      const masked = maskRows(rows, { chunkId: randomBytes(16), personalPaths: () => personal });
      const before = [...readRows(rows)];
      const after = [...readRows(masked)];
      expect(after).toHaveLength(before.length);
      for (const [n, row] of after.entries()) {
        const { data, start, end, chunkId, ...envelope } = before[n] ?? row;
        const kept = new Map([...data].filter(([path]) => path !== 'name' && path !== 'place.street'));
        expect(row).toMatchObject({ ...envelope, accountId: '', sessionId: '', clientAddress: '' });
        expect(row.data).toEqual(kept);
      }
    }),
    { numRuns: 200 },
  );
});

test('masking removes every member of an event with an unknown declaration', () => {
  const rows = rowsOf([{ level: 4, name: 'A' }]);
  const masked = maskRows(rows, { chunkId: Buffer.alloc(16, 7), personalPaths: () => null });
  const [row] = readRows(masked);
  expect(row?.data.size).toBe(0);
  expect(row?.chunkId).toBe('07070707-0707-0707-0707-070707070707');
  expect(masked.includes('secret')).toBe(false);
});

test('masking rejects bytes that are not rows', () => {
  const rows = rowsOf([{ level: 4 }]);
  const cut = rows.subarray(0, rows.length - 1);
  expect(() => maskRows(cut, { chunkId: Buffer.alloc(16), personalPaths: () => personal })).toThrow(
    RangeError,
  );
});
