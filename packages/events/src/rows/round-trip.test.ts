import { limits, uuidText, writeJson } from '@tickrate/contract';
import { declaredSamples, type SampleJson } from '@tickrate/testkit';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type CompiledDeclaration, compileDeclaration } from '../declaration/reading/compile-declaration.ts';
import type { ObjectShape, ScalarShape, Shape } from '../declaration/shape.ts';
import { createEventIds } from './event-ids.ts';
import {
  appendRow,
  createRowFrame,
  type EventEnvelope,
  plainEnvelope,
  type RowFrame,
  type RowSender,
} from './event-row.ts';
import { type DecodedRow, readRows, type StoredValue } from './read-rows.ts';
import { RowWriter } from './row-writer.ts';

const receivedMs = Date.UTC(2026, 5, 1);
const sender: RowSender = {
  projectId: 'p-0123456789ab',
  keyLine: null,
  keyKind: 'session',
  sessionId: 's',
  accountId: 'a',
  clientAddress: '192.0.2.0/24',
  sdkName: 'unity',
  sdkVersion: '1.0',
  receivedMs,
  skewMs: 0,
};
let chance = 0;
const ids = createEventIds((pool) => {
  for (let i = 0; i < pool.length; i++) pool[i] = chance++ * 31;
});

function compiled(document: unknown): CompiledDeclaration {
  const result = compileDeclaration(document);
  if (!result.ok) throw new Error(JSON.stringify(result.faults));
  return result.declaration;
}

interface Sent {
  readonly from?: RowSender;
  readonly envelope?: EventEnvelope;
}

/** The rows of these events in sequence, as in a chunk. In its source, each event has text before and after it. */
function stored(
  { codec, hasOccurredAt }: CompiledDeclaration,
  events: readonly Buffer[],
  { from = sender, envelope = plainEnvelope }: Sent = {},
): DecodedRow[] {
  const frame = createRowFrame(from, { name: 'level', version: 7, codec: codec(), hasOccurredAt });
  const writer = new RowWriter(16);
  for (const event of events) {
    const source = Buffer.concat([Buffer.from('[ '), event, Buffer.from(', {"x":1}]')]);
    expect(append(writer, frame, { source, at: 2, envelope, ids })).toBe(2 + event.length);
  }
  return [...readRows(writer.bytes.subarray(0, writer.at))];
}

/** As callers do: events that the reader leaves to the explanation are read from their plain form. */
function append(writer: RowWriter, frame: RowFrame, event: Parameters<typeof appendRow>[2]): number {
  const end = appendRow(writer, frame, event);
  if (end >= 0) return end;
  const explanation = frame.codec.explain(event.source, event.at, 10);
  if (explanation.kind !== 'respelled') throw new Error(`not taken: ${JSON.stringify(explanation)}`);
  const { source } = explanation;
  expect(appendRow(writer, frame, { ...event, source, at: 0 })).toBe(source.length);
  return explanation.end;
}

/** The expected stored values by the declaration: leaves by dotted path, each in its declared type. */
function leavesOf(shape: ObjectShape, value: SampleJson, prefix = ''): [string, StoredValue][] {
  if (!(value instanceof Map)) return [];
  return shape.members.flatMap(({ name, shape: member }): [string, StoredValue][] => {
    const own = value.get(name) ?? null;
    if (own === null) return [];
    if (member.kind === 'object') return leavesOf(member, own, `${prefix}${name}.`);
    return [[prefix + name, storedValue(member, own)]];
  });
}

function storedValue(shape: Shape, value: SampleJson): StoredValue {
  switch (shape.kind) {
    case 'object':
      return recordOf(shape, value instanceof Map ? value : new Map());
    case 'map':
      return new Map(
        [...(value instanceof Map ? value : [])].map(([key, own]) => [key, storedValue(shape.values, own)]),
      );
    case 'array':
      return (Array.isArray(value) ? value : []).map((item) => storedValue(shape.items, item));
    default:
      return scalarOf(shape, value);
  }
}

function recordOf(shape: ObjectShape, value: ReadonlyMap<string, SampleJson>): StoredValue {
  return new Map(
    shape.members.map((member) => [member.name, storedValue(member.shape, value.get(member.name) ?? null)]),
  );
}

function scalarOf(shape: ScalarShape, value: SampleJson): StoredValue {
  if (value === null || typeof value === 'boolean') return value;
  if (shape.kind === 'integer') return shape.format === 'int32' ? Number(value) : BigInt(String(value));
  if (shape.kind === 'number') return Number(value);
  const text = String(value);
  if (shape.kind === 'string' && shape.format === 'uuid') return text.toLowerCase();
  return shape.kind === 'string' && shape.format === 'ipv6' ? plainIpv6(text) : text;
}

/** One form of an address for all its notations, from an independent reader. */
function plainIpv6(text: string): string {
  return new URL(`http://[${text}]`).hostname;
}

const longAddress = /^[0-9a-f]{1,4}(:[0-9a-f]{1,4}){7}$/;

function comparable(value: StoredValue): StoredValue {
  if (typeof value === 'string' && longAddress.test(value)) return plainIpv6(value);
  if (value instanceof Map) return new Map([...value].map(([key, own]) => [key, comparable(own)]));
  return Array.isArray(value) ? value.map(comparable) : value;
}

/** Written as a client could write it: extra white space, members in any order, escaped letters. */
function spelled(value: SampleJson, seed: number): string {
  const gap = ['', ' ', '\n\t', '\r\n  '][seed % 4] ?? '';
  if (typeof value === 'string') {
    const letters = [...JSON.stringify(value).slice(1, -1)];
    const isPlain = seed % 3 > 0 || letters.includes('\\');
    return isPlain ? JSON.stringify(value) : `"${letters.map(escaped).join('')}"`;
  }
  if (Array.isArray(value))
    return `[${gap}${value.map((item) => spelled(item, seed + 1)).join(`${gap},`)}${gap}]`;
  if (!(value instanceof Map)) return writeJson(value).toString();
  const members = [...value].map(
    ([name, own]) => `${JSON.stringify(name)}${gap}:${gap}${spelled(own, seed + 1)}`,
  );
  return `{${gap}${(seed % 2 === 0 ? members : members.reverse()).join(`${gap},${gap}`)}${gap}}`;
}

function escaped(letter: string): string {
  return Array.from({ length: letter.length }, (_, n) => letter.charCodeAt(n))
    .map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`)
    .join('');
}

describe('an event', () => {
  const samples = declaredSamples().chain(({ document, event }) =>
    fc.tuple(fc.constant(document), fc.array(event, { minLength: 1, maxLength: 3 }), fc.nat(20)),
  );

  test('is read back from its row with the sent values in their declared types, for every JSON notation', () => {
    fc.assert(
      fc.property(samples, ([document, events, seed]) => {
        const declaration = compiled(document);
        const rows = stored(
          declaration,
          events.map((event) => Buffer.from(spelled(event, seed))),
        );
        expect(rows.map(({ data }) => comparable(new Map(data)))).toEqual(
          events.map((event) => new Map(leavesOf(declaration.shape, event))),
        );
      }),
      { numRuns: 600 },
    );
  });

  test('has exactly the columns of its declaration', () => {
    fc.assert(
      fc.property(samples, ([document, events]) => {
        const declaration = compiled(document);
        const announced = new Set(declaration.columns.map(({ path }) => path));
        for (const { data } of stored(declaration, events.map(writeJson)))
          expect(new Set(data.keys()).isSubsetOf(announced)).toBe(true);
      }),
    );
  });
});

describe('the row of an event', () => {
  const level = compiled({ type: 'object', properties: { level: { type: 'integer' } } });
  const timed = compiled({
    type: 'object',
    properties: {
      round: {
        type: 'object',
        properties: { at: { type: ['string', 'null'], format: 'date-time', 'x-occurred-at': true } },
      },
      list: { type: 'array', items: { type: 'integer' } },
    },
  });
  const texts = fc.string({ unit: 'grapheme', maxLength: 300 }).filter((text) => text.isWellFormed());

  test('contains its sender', () => {
    fc.assert(
      fc.property(
        fc.record({
          projectId: texts,
          keyLine: fc.option(fc.uuid()),
          keyKind: fc.constantFrom('public' as const, 'session' as const, 'administrative' as const),
          sessionId: texts,
          accountId: texts,
          clientAddress: texts,
          sdkName: texts,
          sdkVersion: texts,
        }),
        ({ projectId, ...who }) => {
          const from = { projectId, ...who, receivedMs, skewMs: 0 };
          const rows = stored(level, [Buffer.from('{"level":1}'), Buffer.from('{}')], { from });
          for (const row of rows)
            expect(row).toMatchObject({ project: projectId, type: 'level', version: 7, ...who });
          expect(rows.map(({ data }) => data.size)).toEqual([1, 0]);
        },
      ),
    );
  });

  test("contains the client's time, corrected and clamped; a declared time has precedence", () => {
    const times = fc.integer({ min: Date.UTC(1980, 0), max: Date.UTC(2080, 0) });
    fc.assert(
      fc.property(
        fc.option(times),
        fc.option(times),
        fc.integer({ min: -1e11, max: 1e11 }),
        fc.nat(200),
        (declared, envelopeMs, skewMs, length) => {
          const event = writeJson(
            new Map<string, SampleJson>([
              ['round', new Map([['at', declared === null ? null : new Date(declared).toISOString()]])],
              ['list', Array.from({ length }, (_, n) => n)],
            ]),
          );
          const from = { ...sender, skewMs };
          const envelope = { eventId: null, occurredMs: envelopeMs };
          const clientMs = declared ?? envelopeMs;
          const earliest = receivedMs - limits.occurredPastMs;
          const latest = receivedMs + limits.occurredFutureMs;
          const occurredMs =
            clientMs === null ? receivedMs : Math.min(latest, Math.max(earliest, clientMs + skewMs));
          for (const row of stored(timed, [event, event], { from, envelope }))
            expect(row).toMatchObject({ receivedMs, occurredMs, clientMs });
        },
      ),
    );
  });

  test("has the client's id, or a new time-ordered id", () => {
    fc.assert(
      fc.property(fc.uuid(), (eventId) => {
        const envelope = { eventId: eventId.toUpperCase(), occurredMs: null };
        expect(stored(level, [Buffer.from('{}')], { envelope })[0]?.eventId).toBe(eventId);
      }),
    );
    const own = stored(level, [Buffer.from('{}'), Buffer.from('{}')]).map(({ eventId }) => eventId);
    expect(new Set(own).size).toBe(2);
    for (const id of own) {
      expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      expect(Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)).toBe(receivedMs);
    }
    expect(uuidText(new Uint8Array(16), 0)).toBe('00000000-0000-0000-0000-000000000000');
  });

  test('is not written if it is far larger than its text', () => {
    const properties = Object.fromEntries(
      Array.from({ length: 100 }, (_, n) => [`m${n}`, { type: 'integer' }]),
    );
    const wide = compiled({
      type: 'object',
      properties: { list: { type: 'array', items: { type: 'object', properties } } },
    });
    const frame = createRowFrame(sender, {
      name: 'wide',
      version: 1,
      codec: wide.codec(),
      hasOccurredAt: false,
    });
    const writer = new RowWriter(16);
    const source = Buffer.from(`{"list":[${'{},'.repeat(20_000)}{}]}`);
    expect(appendRow(writer, frame, { source, at: 0, envelope: plainEnvelope, ids })).toBe(-2);
    expect(writer.at).toBe(0);
    expect(writer.bytes.length).toBeLessThan(4 * limits.storedEventBytes);
  });
});
