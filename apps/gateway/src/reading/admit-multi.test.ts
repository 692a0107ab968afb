import { limits, systemError } from '@tickrate/contract';
import { describe, expect, test } from 'vitest';
import type { FoundType } from '../calls/event-types.ts';
import {
  accepted,
  decodedRows,
  newRows,
  receivedMs,
  refusalOf,
  sampleSender,
  sampleType,
  slicesOf,
} from '../testing/sample-rows.ts';
import { admitMulti, type MultiAdmission } from './admit-multi.ts';
import { type MultiBody, readMultiArray, readMultiLines } from './multi-body.ts';
import { finish, type Sliced } from './sliced.ts';

const level = sampleType();
const old = { ...sampleType('old'), isDeprecated: true };
const id = '0192F0C0-7d2e-7000-8000-00000000000a';

function find(name: string, version: number | null): FoundType {
  if (name !== 'level' && name !== 'old') return { ok: false, error: systemError('eventTypeNotFound') };
  if ((version ?? 1) !== 1) return { ok: false, error: systemError('eventTypeVersionNotFound') };
  return { ok: true, type: name === 'old' ? old : level };
}

function admit(reading: Sliced<MultiBody>, atomic = false) {
  const multi = finish(reading);
  const found = new Map(multi.types.map((named) => [named, find(named.name, named.version)]));
  const rows = newRows();
  const work = admitMulti(rows, multi, { sender: sampleSender, found, atomic });
  const admission: MultiAdmission = accepted(finish(work));
  return { ...admission, rows: decodedRows(rows), multi };
}

const array = (text: string, atomic = false) => admit(readMultiArray(Buffer.from(text)), atomic);
const lines = (text: string, atomic = false) => admit(readMultiLines(Buffer.from(text)), atomic);
const placesOf = ({ rejections }: Pick<MultiAdmission, 'rejections'>) =>
  rejections.map(({ index, errors }) => [
    index,
    ...errors.map(({ location, reason }) => `${location} ${reason}`),
  ]);
const good = '{"eventType":"level","event":{"level":1}}';

describe('an element', () => {
  test('may have its members in any order and spelling', () => {
    const {
      rows,
      accepted: elements,
      rejections,
    } = array(`[
      {"event":{"level":1},"eventType":"level"},
      { "eventId" : "${id}" , "event" : { "level" : 2 } , "eventTypeVersion" : 1 , "eventType" : "level" },
      {"eventType":"\\u006cevel","event":{"level":3},"eventTypeVersion":"1"},
      {"eventType":"level","event":{"level":4},"eventId":null,"eventTypeVersion":null,"occurredAt":null},
      {"\\u0065vent":{"level":5},"eventType":"level","eventId":"${id}"}
    ]`);
    expect(rejections).toEqual([]);
    expect(rows.map(({ data }) => data.get('level'))).toEqual([1n, 2n, 3n, 4n, 5n]);
    expect(rows.map(({ eventId }) => eventId === id.toLowerCase())).toEqual([
      false,
      true,
      false,
      false,
      true,
    ]);
    expect(elements.map(({ eventId }) => eventId)).toEqual([null, id, null, null, id]);
  });

  test.each([
    ['"2026-06-01T11:59:59.5Z"', -500],
    ['"2026-06-01T13:59:59+02:00"', -1000],
    [String(receivedMs - 7), -7],
    [`"${receivedMs - 8}"`, -8],
  ])('has the time of the event: %s', (occurredAt, difference) => {
    const { rows } = array(`[{"eventType":"level","event":{"level":1},"occurredAt":${occurredAt}}]`);
    expect(rows.map(({ occurredMs, clientMs }) => [occurredMs, clientMs])).toEqual([
      [receivedMs + difference, receivedMs + difference],
    ]);
  });

  test('uses its declared time, also if the envelope has another one', () => {
    const event = '{"level":1,"at":"2026-06-01T11:00:00Z"}';
    const { rows } = array(`[{"eventType":"level","event":${event},"occurredAt":"2026-05-31T00:00:00Z"}]`);
    expect(rows[0]?.occurredMs).toBe(receivedMs - 3_600_000);
  });

  test.each([
    ['"eventType":"level"', '/0/event missing'],
    ['"event":{"level":1}', '/0/eventType missing'],
    ['"eventType":"","event":{}', '/0/eventType missing'],
    ['"eventType":5,"event":{}', '/0/eventType typeMismatch'],
    ['"eventType":["level"],"event":{}', '/0/eventType typeMismatch'],
    ['"eventType":"level","event":null', '/0/event typeMismatch'],
    ['"eventType":"level","event":[]', '/0/event typeMismatch'],
    ['"eventType":"level","event":{"level":1},"eventTypeVersion":[1]', '/0/eventTypeVersion format'],
    ['"eventType":"level","event":{"level":1},"eventTypeVersion":0', '/0/eventTypeVersion format'],
    ['"eventType":"level","event":{"level":1},"eventTypeVersion":true', '/0/eventTypeVersion format'],
    ['"eventType":"level","event":{"level":1},"eventTypeVersion":""', '/0/eventTypeVersion format'],
    ['"eventTypeVersion":"","eventType":"level","event":{"level":1}', '/0/eventTypeVersion format'],
    ['"eventType":"level","event":{"level":1},"eventId":""', '/0/eventId format'],
    ['"eventType":"level","event":{"level":1},"occurredAt":""', '/0/occurredAt format'],
    ['"eventType":"level","event":{"level":1},"eventTypeVersion":1234567', '/0/eventTypeVersion format'],
    ['"eventType":"level","event":{"level":1},"eventTypeVersion":7', '/0/eventTypeVersion unknown'],
    ['"eventType":"nix","event":{"level":1}', '/0/eventType unknown'],
    ['"eventType":"level","event":{"level":1},"eventId":"5"', '/0/eventId format'],
    [`"eventType":"level","event":{"level":1},"eventId":"${id.replace('a', 'g')}"`, '/0/eventId format'],
    ['"eventType":"level","event":{"level":1},"eventId":["x"]', '/0/eventId format'],
    ['"eventType":"level","event":{"level":1},"occurredAt":"today"', '/0/occurredAt format'],
    ['"eventType":"level","event":{"level":1},"occurredAt":["2026-06-01T00:00:00Z"]', '/0/occurredAt format'],
    ['"eventType":"level","event":{"level":1},"occurredAt":99999999999999', '/0/occurredAt format'],
    ['"eventType":"level","event":{"level":1},"a/b":1', '/0/a~1b unknown'],
    ['"eventType":"level","event":{"level":-1}', '/0/event/level range'],
  ])('with %s is rejected with %s', (members, fault) => {
    expect(placesOf(array(`[{${members}},${good}]`))).toEqual([[0, fault]]);
    expect(array(`[{${members}},${good}]`).rows).toHaveLength(1);
    expect(refusalOf(() => array(`[${good},{${members}}]`, true))).toMatchObject({
      code: 8005,
      data: { parameterName: fault.split(' ')[0]?.replace('/0', '/1') },
    });
  });

  test.each(['1', '"x"', 'null', '[]', '[{}]', 'true'])('is no %s', (text) => {
    expect(placesOf(array(`[${text},${good}]`))).toEqual([[0, '/0 typeMismatch']]);
  });

  test.each([
    '{"eventType":"level","eventType":"level","event":{"level":1}}',
    '{"event":{"level":1},"eventType":"level","event":{"level":1}}',
    '{"eventType":"level","event":{"level":1 "x":2}}',
    '{"eventType":"level","event":{"level":1}',
    '{"eventType":"level" "event":{"level":1}}',
    '{"eventType":"level","event":{"level":1}}}',
    '{"eventType":"level","event":{"level":1}},',
  ])('spelled %s makes the body no JSON: 1001', (text) => {
    expect(refusalOf(() => array(`[${text}]`)).code).toBe(1001);
    expect(refusalOf(() => array(`[${text}]`, true)).code).toBe(1001);
  });

  test.each([
    `{"eventType":"level","event":{"level":1,"name":"${'x'.repeat(70_000)}"}}`,
    `{"eventType":"level","event":{"level":1},"x":"${'x'.repeat(70_000)}"}`,
    `{"eventType":"level","event":{"level":1},${Array.from({ length: 30_000 }, (_, n) => `"x${n}":0`).join()}}`,
    `[${'0,'.repeat(50_000)}0]`,
  ])('that is too large is reported as too large (%#)', (text) => {
    const { rejections, rows } = array(`[${text},${good}]`);
    expect(rejections).toMatchObject([{ index: 0, errors: [{ reason: 'tooLong' }] }]);
    expect(rows).toHaveLength(1);
    expect(refusalOf(() => array(`[${good},${text}]`, true)).code).toBe(8007);
  });
});

describe('many elements', () => {
  test('of many types are distinguished, and a deprecated type is reported', () => {
    const text = (name: string, n: number) => `{"eventType":"${name}","event":{"level":${n}}}`;
    const mixed = `[${text('level', 0)},${text('old', 1)},${text('nix', 2)},${text('level', 3)}]`;
    const { rows, usesDeprecated, multi } = array(mixed);
    expect(rows.map(({ type, data }) => [type, data.get('level')])).toEqual([
      ['level', 0n],
      ['old', 1n],
      ['level', 3n],
    ]);
    expect([usesDeprecated, array(`[${good}]`).usesDeprecated]).toEqual([true, false]);
    expect(multi.types.map(({ name }) => name)).toEqual(['level', 'old', 'nix']);
  });

  test('may name 200 types and not one more: 1003', () => {
    const named = (count: number) =>
      Array.from({ length: count }, (_, n) => `{"eventType":"t${n}","event":{}}`);
    expect(array(`[${named(limits.batchTypes).join()}]`).rejections).toHaveLength(limits.batchTypes);
    const more = named(limits.batchTypes + 1);
    const refusal = { code: 1003, data: { parameterName: 'eventType', parameterIsMissing: false } };
    expect(refusalOf(() => array(`[${more.join()}]`))).toMatchObject(refusal);
    expect(refusalOf(() => lines(more.join('\n')))).toMatchObject(refusal);
  });

  test('may be 10,000 and not one more: 8006', () => {
    const all = Array.from({ length: limits.batchEvents }, () => good);
    expect(array(`[${all.join()}]`).rows).toHaveLength(limits.batchEvents);
    expect(refusalOf(() => array(`[${all.join()},${good}]`)).code).toBe(8006);
    expect(lines(all.join('\n')).rows).toHaveLength(limits.batchEvents);
    expect(refusalOf(() => lines(`${all.join('\n')}\n${good}`)).code).toBe(8006);
  });

  test('report a hundred faults at most when all must match', () => {
    const wrong = '{"eventType":"level","event":{}}';
    const { data } = refusalOf(() => array(`[${Array.from({ length: 300 }, () => wrong).join()}]`, true));
    expect(data['queryFailureErrors']).toHaveLength(limits.reportedFaults);
  });

  test.each(['{}', '1', '"x"', 'null', 'true'])('are not %s: 1002', (text) => {
    expect(refusalOf(() => array(text)).code).toBe(1002);
  });

  test('may be none', () => {
    expect(array('[]')).toMatchObject({ accepted: [], rejected: [] });
    expect(lines('')).toMatchObject({ accepted: [], rejected: [] });
  });

  test('are read in slices when they are large', () => {
    const reading = slicesOf(
      readMultiArray(Buffer.from(`[${Array.from({ length: 9_000 }, () => good).join()}]`)),
    );
    expect(reading.slices).toBeGreaterThan(3);
    const found = new Map(reading.result.types.map((named) => [named, find(named.name, named.version)]));
    const types = { sender: sampleSender, found, atomic: false };
    expect(slicesOf(admitMulti(newRows(), reading.result, types)).slices).toBeGreaterThan(3);
  });
});

describe('lines', () => {
  test('may be empty or end as on Windows', () => {
    const { rows, rejections } = lines(`\n\r\n${good}\r\n  \t\n\n ${good} \n${good}`);
    expect([rows.length, rejections]).toEqual([3, []]);
  });

  test.each([
    ['{"eventType":"level","event":{"level":1}', '/1 format'],
    ['nonsense', '/1 format'],
    [`${good}${good}`, '/1 format'],
    [`${good},`, '/1 format'],
    ['{"eventType":"level","event":{"level":1 2}}', '/1/event format'],
    ['{"eventType":"level","event":{"level":1,"level":1}}', '/1/event format'],
    ['{"eventType":"level","event":{"__proto__":1}}', '/1/event format'],
    ['{"eventType":"level","event":{"level":1},"__proto__":1}', '/1/__proto__ unknown'],
    ['{"eventType":"level","event":{"level":1},"x":{"constructor":1}}', '/1 format'],
  ])('of which one is %s reject that one alone', (broken, fault) => {
    const { rows, rejections } = lines([good, broken, good].join('\n'));
    expect(rows).toHaveLength(2);
    expect(rejections).toMatchObject([{ index: 1 }]);
    expect(placesOf({ rejections })).toEqual([[1, fault]]);
  });

  test('of which one is broken are all refused when all must match: 8005', () => {
    const { code, data } = refusalOf(() => lines(`${good}\n{\n${good}`, true));
    expect([code, data['parameterName']]).toEqual([8005, '/1']);
  });

  test('are separated quickly when there are millions of them', () => {
    expect(lines('\n'.repeat(limits.eventBodyBytes)).accepted).toEqual([]);
  });
});
