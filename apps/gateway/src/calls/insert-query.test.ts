import type { IncomingMessage } from 'node:http';
import { describe, expect, test } from 'vitest';
import { refusalOf } from '../testing/sample-rows.ts';
import { clockTime, readInsertQuery, requiredEventType } from './insert-query.ts';

function read(query: string, headers: Record<string, string> = {}) {
  return readInsertQuery({ url: `/v1/event/insert${query}`, headers } as unknown as IncomingMessage);
}

const nothing = {
  eventType: null,
  eventTypeVersion: null,
  partial: false,
  atomic: false,
  idempotencyKey: null,
  clientTimeMs: null,
  sdk: { name: '', version: '' },
};

describe('the query of a request', () => {
  test.each(['', '?', '?&', '?other=1', '?other=&other=', '?partial=false&atomic=false'])(
    '%j has no parameters',
    (query) => expect(read(query)).toEqual(nothing),
  );

  test('describes the events and their encoding', () => {
    const query = '?eventType=level.up&eventTypeVersion=12&partial=true&atomic=true';
    const headers = {
      'idempotency-key': 'a~!',
      'x-client-time': '2026-01-01T01:00:00.25+01:00',
      'x-tickrate-sdk': 'unity/1.2.3-rc+4',
    };
    expect(read(query, headers)).toEqual({
      eventType: 'level.up',
      eventTypeVersion: 12,
      partial: true,
      atomic: true,
      idempotencyKey: 'a~!',
      clientTimeMs: Date.UTC(2026, 0, 1) + 250,
      sdk: { name: 'unity', version: '1.2.3-rc+4' },
    });
  });

  test.each([
    ['?eventTypeVersion=x', {}, 'eventTypeVersion'],
    ['?eventTypeVersion=0', {}, 'eventTypeVersion'],
    ['?eventTypeVersion=01', {}, 'eventTypeVersion'],
    ['?eventTypeVersion=-1', {}, 'eventTypeVersion'],
    ['?eventTypeVersion=1.0', {}, 'eventTypeVersion'],
    ['?eventTypeVersion=100000', {}, 'eventTypeVersion'],
    ['?eventTypeVersion=', {}, 'eventTypeVersion'],
    ['?eventTypeVersion', {}, 'eventTypeVersion'],
    ['?eventTypeVersion=%20', {}, 'eventTypeVersion'],
    ['?eventTypeVersion=1&eventTypeVersion=2', {}, 'eventTypeVersion'],
    ['?eventTypeVersion=1&eventTypeVersion=', {}, 'eventTypeVersion'],
    ['?eventType=a&eventType=b', {}, 'eventType'],
    ['?partial=1', {}, 'partial'],
    ['?partial=', {}, 'partial'],
    ['?partial=true&partial=false', {}, 'partial'],
    ['?atomic=TRUE', {}, 'atomic'],
    ['?atomic=', {}, 'atomic'],
    ['?atomic', {}, 'atomic'],
    ['?idempotencyKey=', {}, 'Idempotency-Key'],
    ['?idempotencyKey=a&idempotencyKey=b', {}, 'idempotencyKey'],
    ['?clientTime=', {}, 'X-Client-Time'],
    ['?clientTime=0&clientTime=1', {}, 'clientTime'],
    ['', { 'x-client-time': '' }, 'X-Client-Time'],
    ['', { 'idempotency-key': '' }, 'Idempotency-Key'],
    ['', { 'idempotency-key': 'a b' }, 'Idempotency-Key'],
    ['', { 'idempotency-key': 'ü' }, 'Idempotency-Key'],
    ['', { 'idempotency-key': 'x'.repeat(201) }, 'Idempotency-Key'],
    ['', { 'x-client-time': 'now' }, 'X-Client-Time'],
    ['', { 'x-client-time': '-5' }, 'X-Client-Time'],
    ['', { 'x-client-time': '99999999999999' }, 'X-Client-Time'],
    ['', { 'x-client-time': '9999-12-31T23:59:59Z' }, 'X-Client-Time'],
  ])('%s with %o is 1003 for %s', (query, headers, parameterName) => {
    expect(refusalOf(() => read(query, headers))).toMatchObject({
      code: 1003,
      data: { parameterName, parameterIsMissing: false },
    });
  });

  test.each(['9999-12-31T23:59:59Z', '2300-01-01T00:00:00Z', '253402300799000', 'now'])(
    'the refusal of the client time %s names the range',
    (time) => {
      expect(refusalOf(() => read('', { 'x-client-time': time }))).toMatchObject({
        data: { parameterInvalidReason: expect.stringContaining('from the year 1900 to 2299') },
      });
    },
  );

  test('must name a type for a call that requires one', () => {
    for (const query of ['', '?eventType=']) {
      expect(refusalOf(() => requiredEventType(read(query)))).toMatchObject({
        code: 1003,
        message: "The parameter 'eventType' is missing or invalid",
        data: { parameterName: 'eventType', parameterIsMissing: true },
      });
    }
  });

  test.each(['unity', '/1', 'a/b/c', `${'x'.repeat(40)}/1`, 'ü/1'])(
    'with the SDK %j has no SDK',
    (header) => {
      expect(read('', { 'x-tickrate-sdk': header }).sdk).toEqual({ name: '', version: '' });
    },
  );
});

test.each([
  ['0', 0],
  ['1700000000123', 1_700_000_000_123],
  ['2026-01-01T00:00:00Z', Date.UTC(2026, 0, 1)],
  ['10413791999999', 10_413_791_999_999],
  ['10413792000000', Number.NaN],
  ['', Number.NaN],
  ['2026-01-01', Number.NaN],
])('the clock %j is %d', (text, ms) => expect(clockTime(text)).toBe(ms));
