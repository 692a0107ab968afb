import { expect, test } from 'vitest';
import { httpHarness } from './http-harness.ts';

const { http, raw, select } = httpHarness();
const ENDS = 'Connection: close\r\n\r\n';
const OWN = 'X-ClickHouse-User: tickrate\r\nX-ClickHouse-Key: secret\r\n';

// Invariant (Tools): The embedded ClickHouse refuses a request that a proxy could read in another way, and
// what follows it; each answer forbids browsers to guess its type
test.each([
  ['two hosts', `GET /ping HTTP/1.1\r\nHost: a\r\nHost: b\r\n${ENDS}`],
  ['the address of another host', `GET http://other/ping HTTP/1.1\r\nHost: a\r\n${ENDS}`],
  ['a host that is none', `GET /ping HTTP/1.1\r\nHost: a/b\r\n${ENDS}`],
  ['an address without a host', `GET ping HTTP/1.1\r\nHost: a\r\n${ENDS}`],
  ['a fragment', `GET /ping#a HTTP/1.1\r\nHost: a\r\n${ENDS}`],
  ['two users', `GET /?query=SELECT+1 HTTP/1.1\r\nHost: a\r\n${OWN}X-ClickHouse-User: b\r\n${ENDS}`],
  [
    'two credentials',
    `GET /?query=SELECT+1 HTTP/1.1\r\nHost: a\r\nAuthorization: Basic YTpi\r\nauthorization: Basic YTpj\r\n${ENDS}`,
  ],
])('a request with %s is rejected', async (_what, head) => {
  expect(await raw(head)).toMatch(/^HTTP\/1\.1 400 /);
});

test('an unknown expectation is rejected with the headers of every answer', async () => {
  const answer = await raw(`GET /ping HTTP/1.1\r\nHost: a\r\nExpect: much\r\n${ENDS}`);
  expect(answer).toMatch(/^HTTP\/1\.1 417 [\s\S]*X-Content-Type-Options: nosniff/);
});

test('nothing after a rejected head on its connection is a request', async () => {
  const answer = await raw(
    `POST /ping HTTP/1.1\r\nHost: a\r\nHost: b\r\nContent-Length: 0\r\n\r\nPOST /?query=CREATE+TABLE+hidden+ENGINE=Memory+AS+SELECT+1 HTTP/1.1\r\nHost: a\r\n${OWN}Content-Length: 0\r\n${ENDS}`,
  );
  expect(answer.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 400']);
  expect(await select('EXISTS hidden')).toBe('0\n');
});

test('an absolute address of the same host is served', async () => {
  expect(await raw(`GET http://A:1/ping HTTP/1.1\r\nHost: a:1\r\n${ENDS}`)).toContain('Ok.');
});

test.each([
  ['rows', { body: 'SELECT 1' }, 200],
  ['a fault', { body: 'SELECT nothing' }, 404],
  ['health', { method: 'GET', path: '/ping' }, 200],
  ['no such path', { path: '/none' }, 404],
  ['no such method', { method: 'OPTIONS' }, 404],
  ['no password', { body: 'SELECT 1', headers: {} }, 401],
])('answers forbid browsers to guess their type: %s', async (_what, call, status) => {
  const reply = await http(call);
  expect([reply.status, reply.headers['x-content-type-options']]).toEqual([status, 'nosniff']);
});

test.each([
  [
    'two lengths',
    `POST /?query=SELECT+1 HTTP/1.1\r\nHost: a\r\n${OWN}Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    400,
  ],
  ['a broken head', 'nonsense\r\n\r\n', 400],
  ['a head that is too large', `GET /ping HTTP/1.1\r\nHost: a\r\nA: ${'a'.repeat(1_100_000)}\r\n\r\n`, 431],
])('a request that cannot be read gets the headers of every answer: %s', async (_what, head, status) => {
  const answer = await raw(head);
  expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  expect(answer).toContain('X-Content-Type-Options: nosniff\r\n');
  expect(answer).toMatch(/Content-Type: text\/html; charset=UTF-8\r\n[\s\S]*\r\n\r\nThe request .+\n$/);
});
