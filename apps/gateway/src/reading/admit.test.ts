import { limits } from '@tickrate/contract';
import { describe, expect, test } from 'vitest';
import { accepted, decodedRows, newRows, refusalOf, sampleFrame, slicesOf } from '../testing/sample-rows.ts';
import { type Admission, admitPartial, admitSingle, admitWhole, checkUtf8, type Rows } from './admit.ts';
import { finish } from './sliced.ts';

const frame = sampleFrame();

function single(text: string) {
  const rows = newRows();
  accepted(admitSingle(rows, frame, Buffer.from(text)));
  return decodedRows(rows);
}

function whole(text: string) {
  const rows = newRows();
  accepted(finish(admitWhole(rows, frame, Buffer.from(text))));
  return { rows: decodedRows(rows), starts: rows.starts };
}

function partial(text: string) {
  const rows = newRows();
  const { rejections } = accepted(finish(admitPartial(rows, frame, Buffer.from(text))));
  return { levels: decodedRows(rows).map(({ data }) => data.get('level')), rejections, starts: rows.starts };
}

const levels = (count: number) => Array.from({ length: count }, (_, level) => ({ level }));
const nested = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
const faultOf = (text: string, admit: (text: string) => unknown) => {
  const { code, data } = refusalOf(() => admit(text));
  return { code, ...data };
};

describe('a single event', () => {
  test('becomes one row with any white space around it', () => {
    expect(single(' \n{"level": 7, "name": "é"} \r\n')[0]?.data).toEqual(
      new Map<string, unknown>([
        ['level', 7n],
        ['name', 'é'],
      ]),
    );
  });

  test.each(['[]', '[{"level":1}]', '5', '-1.5', '"x"', '"x', 'null', 'true', ' false '])(
    'is not %s: 1002',
    (text) => expect(refusalOf(() => single(text)).code).toBe(1002),
  );

  test.each([
    ['', 0],
    ['   ', 3],
    ['{', 1],
    ['{"level":1', 10],
    ['{"level":1} x', 12],
    ['{"level":1}{"level":2}', 11],
    ['{"level":01}', 9],
    ["{'level':1}", 1],
    ['{"level":1,}', 11],
    ['nul', 3],
    ['+1', 0],
    ['tru e', 3],
    ['5 x', 2],
    ['\uFEFF{"level":1}', 0],
  ])('is not %j: 1001 at %i', (text, offset) =>
    expect(faultOf(text, single)).toEqual({ code: 1001, offset }),
  );

  test('has a member twice: 1001; has a member like __proto__: 1003', () => {
    expect(faultOf('{"level":1,"level":2}', single)).toMatchObject({ code: 1001, offset: 11 });
    expect(faultOf('{"level":1,"\\u006cevel":2}', single)).toMatchObject({ code: 1001 });
    expect(faultOf('{"level":1,"__proto__":{}}', single)).toMatchObject({
      code: 1003,
      parameterName: '__proto__',
    });
  });

  test('is nested deeper than 32: 1001; up to 32 it is an unknown member', () => {
    expect(faultOf(nested(33), single)).toMatchObject({ code: 1001 });
    expect(faultOf(nested(32), single)).toMatchObject({ code: 8005, parameterName: '/level' });
    expect(faultOf(nested(100_000), single)).toMatchObject({ code: 8007 });
    expect(faultOf('['.repeat(100_000).replace('[', '{"a":['), single)).toMatchObject({ code: 1001 });
  });

  test('is reported with the place of every fault: 8005', () => {
    expect(faultOf('{"level":-1,"name":5,"x":1}', single)).toMatchObject({
      code: 8005,
      parameterName: '/level',
      queryFailureErrors: [
        { domain: 'event', location: '/level', locationType: 'body', reason: 'range' },
        { location: '/name', reason: 'typeMismatch' },
        { location: '/x', reason: 'unknown' },
      ],
    });
  });

  test('is reported with a hundred faults at most', () => {
    const text = JSON.stringify(Object.fromEntries(Array.from({ length: 300 }, (_, n) => [`u${n}`, 1])));
    const { queryFailureErrors } = refusalOf(() => single(text)).data;
    expect(queryFailureErrors).toHaveLength(limits.reportedFaults);
  });

  test('may be 64 KiB long and not a byte longer: 8007', () => {
    const empty = '{"level":1,"name":""}';
    const longest = empty.replace('""', `"${'x'.repeat(limits.eventBytes - empty.length)}"`);
    expect(single(longest)).toHaveLength(1);
    expect(faultOf(longest.replace('x', 'xx'), single)).toEqual({
      code: 8007,
      amount: limits.eventBytes,
      parameterName: '',
    });
  });

  test('with a row that is far larger than its text: 8007', () => {
    const list = Array.from({ length: 20_000 }, () => '{}').join();
    expect(faultOf(`{"level":1,"list":[${list}]}`, single)).toMatchObject({ code: 8007 });
  });

  test('that is valid only in a longer spelling is too large, not an internal fault', () => {
    const numbers = sampleFrame();
    const text = `{"\\u006cevel":1,"name":"${'x'.repeat(limits.eventBytes - 40)}"}`;
    const rows = newRows();
    admitSingle(rows, numbers, Buffer.from(text));
    expect(rows.starts).toHaveLength(1);
  });
});

test('a body that is not UTF-8 is 1001', () => {
  expect(refusalOf(() => checkUtf8(Buffer.from([0x22, 0xff, 0x22]))).code).toBe(1001);
  expect(refusalOf(() => checkUtf8(Buffer.from('\uFEFF{"level":1}', 'utf16le'))).code).toBe(1001);
});

describe('a batch', () => {
  test('becomes its rows in order, each at its recorded start', () => {
    const { rows, starts } = whole(JSON.stringify(levels(300)));
    expect(rows.map(({ data }) => data.get('level'))).toEqual(levels(300).map(({ level }) => BigInt(level)));
    expect(rows.map(({ start }) => start)).toEqual(starts);
    expect(new Set(rows.map(({ eventId }) => eventId)).size).toBe(300);
  });

  test('may be empty', () => {
    expect(whole(' [ ] ').rows).toEqual([]);
    expect(partial('[]')).toEqual({ levels: [], rejections: [], starts: [] });
  });

  test.each(['{}', '{"level":1}', '5', '"x"', 'null', 'true'])('is not %s: 1002', (text) => {
    expect(refusalOf(() => whole(text)).code).toBe(1002);
    expect(refusalOf(() => partial(text)).code).toBe(1002);
  });

  test.each([
    '',
    '[',
    '[{"level":1}',
    '[{"level":1},]',
    '[,]',
    '[{"level":1}]x',
    '[{"level":1} {"level":1}]',
    ']',
    'nix',
  ])('is not %j: 1001, in part or whole', (text) => {
    expect(refusalOf(() => whole(text)).code).toBe(1001);
    expect(refusalOf(() => partial(text)).code).toBe(1001);
  });

  test('of values that are not events is reported with the place of each', () => {
    const { parameterName, queryFailureErrors } = refusalOf(() => whole('[1,{"level":1},"x",[],null]')).data;
    expect(parameterName).toBe('/0');
    expect(queryFailureErrors).toMatchObject(
      ['/0', '/2', '/3', '/4'].map((location) => ({ location, reason: 'typeMismatch' })),
    );
  });

  test('is reported with the place within the element, as an escaped pointer', () => {
    expect(faultOf('[{"level":1},{"level":2,"a/b~c":1}]', whole)).toMatchObject({
      code: 8005,
      parameterName: '/1/a~1b~0c',
    });
  });

  test('is reported with a hundred faults at most, and is read no further', () => {
    const broken = `[${'{},'.repeat(150)}`;
    const { code, queryFailureErrors } = faultOf(broken, whole) as unknown as Record<string, unknown[]>;
    expect([code, queryFailureErrors?.length]).toEqual([8005, limits.reportedFaults]);
  });

  test('may hold 10,000 events and not one more: 8006', () => {
    const text = JSON.stringify(levels(limits.batchEvents));
    expect(whole(text).rows).toHaveLength(limits.batchEvents);
    const larger = text.replace(']', ',{"level":1}]');
    expect(faultOf(larger, whole)).toEqual({ code: 8006, amount: limits.batchEvents });
    expect(faultOf(larger, partial)).toEqual({ code: 8006, amount: limits.batchEvents });
  });

  test('with one event too large: 8007 with its place, or its rejection in part', () => {
    const text = `[{"level":1},{"level":2,"name":"${'x'.repeat(70_000)}"},{"level":3}]`;
    expect(faultOf(text, whole)).toEqual({ code: 8007, amount: limits.eventBytes, parameterName: '/1' });
    const { rejections, levels: accepted } = partial(text);
    expect(accepted).toEqual([1n, 3n]);
    expect(rejections).toMatchObject([{ index: 1, errors: [{ location: '/1', reason: 'tooLong' }] }]);
  });

  test('with rows that are too large together: 1004', () => {
    const event = `{"level":1,"list":[${Array.from({ length: 4_000 }, () => '{}').join()}]}`;
    const text = `[${Array.from({ length: 200 }, () => event).join()}]`;
    expect(faultOf(text, whole)).toEqual({ code: 1004, amount: limits.storedBodyBytes });
  });
});

describe('a batch in part', () => {
  test('accepts the matching events and reports the others', () => {
    const { levels: found, rejections } = partial('[{"level":1},{"level":"2"},3,{"level":4},{"x":1}]');
    expect(found).toEqual([1n, 4n]);
    expect(rejections.map(({ index, errors }) => [index, errors.map(({ location }) => location)])).toEqual([
      [1, ['/1/level']],
      [2, ['/2']],
      [4, ['/4/level', '/4/x']],
    ]);
  });

  test('reports every rejected element, the first ones in detail', () => {
    const wrong = JSON.stringify(Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`u${n}`, 1])));
    const { rejections } = partial(`[${Array.from({ length: 500 }, () => wrong).join()}]`);
    expect(rejections.map(({ index }) => index)).toEqual(Array.from({ length: 500 }, (_, n) => n));
    expect(rejections.map(({ errors }) => errors.length)).toEqual([
      ...Array.from({ length: 10 }, () => 10),
      ...Array.from({ length: 490 }, () => 1),
    ]);
  });

  test('is read in slices when it is large', () => {
    const text = JSON.stringify(Array.from({ length: 2_000 }, () => ({ level: 1, x: 'y'.repeat(200) })));
    const rows = newRows();
    const { result, slices } = slicesOf(admitPartial(rows, frame, Buffer.from(text)));
    expect(result.rejections).toHaveLength(2_000);
    expect(slices).toBeGreaterThan(text.length / 100_000);
  });
});

describe('an admission', () => {
  const placesOf = ({ error, rejected }: Admission) => ({
    code: error?.code,
    rejected: rejected.map(({ form, reason, at, end }) => [form, reason, at, end]),
  });
  const admit = (work: (rows: Rows, body: Buffer) => Admission, text: string) =>
    placesOf(work(newRows(), Buffer.from(text)));
  const wholeBody = (rows: Rows, body: Buffer) => finish(admitWhole(rows, frame, body));
  const partOfBody = (rows: Rows, body: Buffer) => finish(admitPartial(rows, frame, body));

  test('returns every rejected event with its place, whether or not the others are accepted', () => {
    const text = '[{"level":"1"},{"level":2},{"x":1}]';
    const rejected = [
      ['event', 'typeMismatch', 1, 14],
      ['event', 'missing', 27, 34],
    ];
    expect(admit(wholeBody, text)).toEqual({ code: 8005, rejected });
    expect(admit(partOfBody, text)).toEqual({ code: undefined, rejected });
  });

  test('returns a body that is no JSON as one rejection, after the events before the fault', () => {
    const text = '[{"level":"1"},{]';
    const rejected = [
      ['event', 'typeMismatch', 1, 14],
      ['body', 'malformedJson', 0, 17],
    ];
    expect(admit(wholeBody, text)).toEqual({ code: 1001, rejected });
    expect(admit(partOfBody, text)).toEqual({ code: 1001, rejected });
  });

  test('of a single event has one rejection, and none if the event is accepted', () => {
    const one = (rows: Rows, body: Buffer) => admitSingle(rows, frame, body);
    expect(admit(one, '{"level":"1"}')).toEqual({ code: 8005, rejected: [['event', 'typeMismatch', 0, 13]] });
    expect(admit(one, '[]')).toEqual({ code: 1002, rejected: [['body', 'bodyTypeInvalid', 0, 2]] });
    expect(admit(one, '{"level":1}')).toEqual({ code: undefined, rejected: [] });
  });
});
