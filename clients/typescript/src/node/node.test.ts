import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  globSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Loss, Options } from '../core/options.ts';
import { systemPlatform } from '../core/platform.ts';
import { Tickrate } from './node.ts';

/** The other side of the network: what arrived, by key, and what it answers. */
interface Arrived {
  readonly key: string;
  readonly path: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, unknown>>;
}

const arrived: Arrived[] = [];
let answer: (response: ServerResponse, request: Arrived) => void;
const accept = (response: ServerResponse, { body }: Arrived) =>
  reply(response, 200, JSON.stringify({ accepted: body.split('\n').length - 1, rejected: [] }));
let answerAddresses: (response: ServerResponse) => void;
const server = createServer(async (request, response) => {
  const raw = await buffer(request).catch(() => null);
  // A client that is closed gives up in the middle of its request.
  if (raw === null) return;
  const body = request.headers['content-encoding'] === 'gzip' ? gunzipSync(raw).toString() : raw.toString();
  const { headers, url: path = '' } = request;
  if (path.startsWith('/.well-known/')) return answerAddresses(response);
  const one = { key: String(headers['idempotency-key']), path, body, headers };
  arrived.push(one);
  answer(response, one);
});
let url = '';
let folder = '';

beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
});
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tickrate-sdk-'));
  arrived.length = 0;
  answer = accept;
  answerAddresses = refuse(404, notFound);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const tuning = { sealAfterMs: 50, backoffFromMs: 1, backoffToMs: 10 };
function open(more: Partial<Options> = {}, platform = {}): Promise<Tickrate> {
  const options: Options = {
    url,
    key: 'tk_pub_x',
    folder,
    account: 'key',
    consent: 'granted',
    tuning,
    ...more,
  };
  return Tickrate.open(options, { ...systemPlatform(), ...platform });
}
const event = (n: number) => ({ eventType: 'level', eventTypeVersion: 1, event: { n } });
const numbersOf = (bodies: readonly Arrived[]) =>
  bodies.flatMap(({ body }) => [...body.matchAll(/"n":(\d+)/g)].map(([, n]) => Number(n)));

function reply(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'Content-Type': 'application/json' });
  response.end(text);
}

// Invariant (Delivery): A refusal in one process that shares a folder holds in all of them and in every
// later start: no save brings consent or events back
test('an event is in a file before track() returns, and sent as NDJSON under the key in its name', async () => {
  const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
  const client = await open({ traceparent: () => traceparent });
  expect(client.track(event(7))).toBe(true);
  const [file = ''] = globSync('*/*.open', { cwd: folder });
  expect(readFileSync(join(folder, file), 'utf8').split('\n')).toHaveLength(3);
  expect(await client.flush()).toBe(true);
  expect(arrived).toHaveLength(1);
  expect(arrived[0]?.path).toBe('/v1/event/multiInsert');
  expect(arrived[0]?.headers).toMatchObject({ traceparent });
  expect(arrived[0]?.key).toBe(file.slice(file.indexOf('/') + 18, -5));
  expect(JSON.parse(arrived[0]?.body ?? '')).toMatchObject({ ...event(7), occurredAt: expect.any(String) });
  await client.close();
  expect(globSync('*/*.{open,seal}', { cwd: folder })).toEqual([]);
});

test('what was not sent is sent by the next start, with the same bytes and key', async () => {
  answer = (response) => response.destroy();
  const first = await open();
  for (let n = 0; n < 50; n++) first.track(event(n));
  for (const path of globSync('*/*.open', { cwd: folder }))
    expect(statSync(join(folder, path)).mode & 0o777).toBe(0o600);
  void first.flush();
  await expect.poll(() => arrived.length).toBeGreaterThan(0);
  await first.close({ timeoutMs: 0 });
  const [tried] = arrived;
  const adopting = await open();
  await adopting.close({ timeoutMs: 0 });
  answer = accept;
  const second = await open();
  expect(await second.flush()).toBe(true);
  expect(arrived.at(-1)).toMatchObject({ key: tried?.key, body: tried?.body });
  await second.close();
});

test('flush() sends what another process left meanwhile, and is true only when nothing waits', async () => {
  answer = (response) => response.destroy();
  const [first, second] = [await open(), await open()];
  for (let n = 0; n < 50; n++) (n % 2 ? first : second).track(event(n));
  await second.close({ timeoutMs: 0 });
  answer = accept;
  expect(await Promise.all([first.flush(), first.flush()])).toEqual([true, true]);
  expect(numbersOf(arrived).toSorted((a, b) => a - b)).toEqual(Array.from({ length: 50 }, (_, n) => n));
  expect(globSync('*/*.{open,seal}', { cwd: folder })).toEqual([]);
  await first.close();
  const waiting = await open({ consent: 'unknown', folder: join(folder, 'other') });
  waiting.track(event(1));
  expect(await waiting.flush()).toBe(false);
  await waiting.close();
});

const lose = (response: ServerResponse) => void response.destroy();
const refuse = (status: number, text: string) => (response: ServerResponse) => reply(response, status, text);
const notFound = '{"code":1006,"data":{}}';

const findings: readonly (readonly [
  string,
  readonly ((response: ServerResponse) => void)[],
  Partial<Options>,
])[] = [
  ['that the server reports', [], {}],
  ['that the server reports when it is reached at last', [lose, lose, lose], {}],
  ['that the server reports, when consent is given later', [lose], { consent: 'unknown' }],
  [
    'that the server reports after refusals of a proxy',
    [401, 403, 404].map((status) => refuse(status, '<html>')),
    {},
  ],
  ['that the server reports after the 404 to a sign-in elsewhere', [refuse(404, notFound)], {}],
];

test.each(findings)('a device signs in at the address %s', async (_, failures, options) => {
  const session = { apiKey: 'tk_ses_x', accountId: 'u-x', start: 0, expiry: 4_000_000_000 };
  const auth = createServer((request, response) => {
    request.resume();
    reply(response, 200, JSON.stringify({ authenticatedSession: session }));
  });
  auth.listen(0, '127.0.0.1');
  await once(auth, 'listening');
  const address = auth.address();
  const sessions = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
  const left = [...failures];
  answerAddresses = (response) => {
    const fail = left.shift() ?? refuse(200, JSON.stringify({ protocol: 1, events: url, sessions }));
    fail(response);
  };
  answer = (response, request) =>
    request.path.startsWith('/v1/event/') ? accept(response, request) : reply(response, 404, notFound);
  const client = await open({ account: 'device', ...options });
  client.track(event(7));
  await client.setConsent('granted');
  await expect.poll(() => numbersOf(arrived)).toEqual([7]);
  const inserts = arrived.filter(({ path }) => path.startsWith('/v1/event/'));
  expect(inserts.map(({ headers }) => headers['x-api-key'])).toEqual(['tk_ses_x']);
  await client.close();
  auth.closeAllConnections();
  auth.close();
});

const hostile: readonly (readonly [string, (response: ServerResponse) => void])[] = [
  ['HTML', (response) => reply(response, 200, '<!doctype html>')],
  ['nothing', (response) => reply(response, 200, '')],
  ['JSON of something else', (response) => reply(response, 200, '[1,2,3]')],
  ['null', (response) => reply(response, 200, 'null')],
  ['ten megabytes', (response) => reply(response, 200, `{"accepted":1,"x":"${'x'.repeat(10_000_000)}"}`)],
  ['a redirect', (response) => response.writeHead(307, { Location: `${url}/elsewhere` }).end()],
  [
    'half of an answer',
    (response) =>
      response.writeHead(200, { 'Content-Length': '100' }).write('{"acc', () => response.destroy()),
  ],
  ['no HTTP', (response) => response.socket?.end('garbage\r\n\r\n')],
];

test.each(hostile)('%s as an answer loses nothing', async (_, answerBadly) => {
  let isFirst = true;
  answer = (response, request) => {
    if (isFirst) answerBadly(response);
    else accept(response, request);
    isFirst = false;
  };
  const client = await open();
  client.track(event(1));
  expect(await client.flush()).toBe(true);
  expect(arrived.map(({ key }) => key)).toEqual([arrived[0]?.key, arrived[0]?.key]);
  expect(arrived.every(({ path }) => path === '/v1/event/multiInsert')).toBe(true);
  await client.close();
});

const tooLarge = JSON.stringify({
  code: 1004,
  message: 'x',
  fields: null,
  data: { reason: 'x', amount: 20 },
});

test('a segment that is too large is split, and each part sent once', async () => {
  answer = (response, request) => {
    if (request.body.split('\n').length > 20) reply(response, 413, tooLarge);
    else accept(response, request);
  };
  const client = await open();
  for (let n = 0; n < 100; n++) client.track(event(n));
  expect(await client.flush()).toBe(true);
  const accepted = arrived.filter(({ body }) => body.split('\n').length <= 20);
  expect(numbersOf(accepted)).toEqual(Array.from({ length: 100 }, (_, n) => n));
  expect(accepted.every(({ key }) => /^[0-9a-f]{32}(\.[01])+$/.test(key))).toBe(true);
  await client.close();
});

test('a refused segment is set aside and counted, and the next one is sent', async () => {
  answer = (response) => {
    answer = accept;
    reply(response, 409, '{"code":8010,"message":"x","fields":null,"data":{}}');
  };
  const client = await open();
  const losses: Loss[] = [];
  client.onLoss((loss) => losses.push(loss));
  client.track(event(1));
  client.track(event(2));
  await client.flush();
  client.track(event(3));
  expect(await client.flush()).toBe(true);
  expect(losses).toEqual([{ reason: 'refused', count: 2 }]);
  expect(globSync('aside/*.seal', { cwd: folder })).toHaveLength(1);
  await client.close();
  expect((await open()).losses).toEqual({ refused: 2 });
});

test('a wrong key stops sending, and says once what to do', async () => {
  const printed: string[] = [];
  answer = (response) => reply(response, 401, '{"code":2002,"message":"x","fields":null,"data":{}}');
  const client = await open({ debug: (message) => printed.push(message) });
  for (let n = 0; n < 3; n++) {
    expect(client.track(event(n))).toBe(true);
    await client.flush({ timeoutMs: 100 });
  }
  await expect.poll(() => printed.filter((text) => text.includes('pass a public key'))).toHaveLength(1);
  expect(await client.flush({ timeoutMs: 100 })).toBe(false);
  expect(printed.filter((text) => text.includes('pass a public key'))).toHaveLength(1);
  expect(arrived).toHaveLength(1);
  expect(client.pending).toBe(3);
  await client.close({ timeoutMs: 0 });
});

test('no consent: nothing is stored or sent; consent sends what was kept; a refusal deletes it', async () => {
  const client = await open({ consent: 'unknown' });
  for (let n = 0; n < 250; n++) expect(client.track(event(n))).toBe(n < 200);
  await client.flush({ timeoutMs: 50 });
  expect([
    arrived.length,
    globSync('*/*.{open,seal}', { cwd: folder }),
    existsSync(join(folder, 'state.json')),
  ]).toEqual([0, [], false]);
  await client.setConsent('granted');
  expect(await client.flush()).toBe(true);
  expect(numbersOf(arrived)).toHaveLength(200);
  answer = (response) => response.destroy();
  client.track(event(300));
  await client.setConsent('denied');
  expect([client.track(event(301)), client.pending]).toEqual([false, 0]);
  await client.close();
  for (const consent of ['unknown', undefined] as const) {
    const options = { url, key: 'tk_pub_x', folder, account: 'key' } as const;
    const later = await Tickrate.open({ ...options, ...(consent && { consent }) });
    expect([later.consent, later.track(event(1))]).toEqual(['denied', false]);
    await later.close();
  }
});

test('a refusal in one process holds in another one, which learns of it when it saves something', async () => {
  const [first, second] = [await open(), await open()];
  expect(second.track(event(1))).toBe(true);
  await first.setConsent('denied');
  expect(second.track({ eventType: 'level', event: { text: 'x'.repeat(1 << 20) } })).toBe(false);
  await expect.poll(() => second.consent).toBe('denied');
  expect([second.track(event(2)), second.pending]).toEqual([false, 0]);
  await Promise.all([first.close(), second.close()]);
  expect(JSON.parse(readFileSync(join(folder, 'state.json'), 'utf8'))).toMatchObject({
    consent: 'denied',
    device: null,
    deviceRequest: null,
  });
});

test('a start after a refusal deletes what other processes left, whatever the game gives', async () => {
  for (const consent of ['granted', undefined] as const) {
    answer = (response) => response.destroy();
    const left = await open();
    expect(left.track(event(1))).toBe(true);
    await left.close({ timeoutMs: 0 });
    const [segment = ''] = globSync('*/*.seal', { cwd: folder });
    const run = join(folder, dirname(segment));
    const aside = `${folder}-aside`;
    renameSync(run, aside);
    const refused = await open();
    await refused.setConsent('denied');
    await refused.close();
    // As if another process, which did not learn of the refusal, had written it and died.
    renameSync(aside, run);
    const next = await Tickrate.open({
      url,
      key: 'tk_pub_x',
      folder,
      account: 'key',
      ...(consent && { consent }),
    });
    expect([next.consent, next.pending, globSync('*/*.seal', { cwd: folder })]).toEqual([
      consent ?? 'denied',
      0,
      [],
    ]);
    await next.close();
  }
});

test('10,000 calls in a frame, an event of 1 MiB, a cycle and calls after close harm nothing', async () => {
  const client = await open();
  for (let n = 0; n < 10_000; n++) expect(client.track(event(n))).toBe(true);
  expect(client.track({ eventType: 'level', event: { text: 'x'.repeat(1 << 20) } })).toBe(false);
  const cycle: Record<string, unknown> = {};
  cycle['self'] = cycle;
  expect(client.track({ eventType: 'level', event: cycle })).toBe(false);
  expect(client.track({ eventType: 'level', event: { big: 1n } })).toBe(false);
  expect(await client.flush()).toBe(true);
  expect(numbersOf(arrived)).toEqual(Array.from({ length: 10_000 }, (_, n) => n));
  await client.close();
  await client.close();
  expect([client.track(event(1)), await client.flush({ timeoutMs: 10 })]).toEqual([false, true]);
  await client.setConsent('denied');
  expect(client.losses).toMatchObject({ tooLarge: 1, storage: 2, closed: 1 });
});

test('a folder that cannot be written keeps events in memory, and says so', async () => {
  const file = join(folder, 'file');
  writeFileSync(file, '');
  chmodSync(file, 0o400);
  const printed: string[] = [];
  const client = await open({ folder: file, debug: (message) => printed.push(message) });
  expect(client.durable).toBe(false);
  for (let n = 0; n < 250; n++) expect(client.track(event(n))).toBe(n < 200);
  expect(printed[0]).toContain(file);
  expect(await client.flush()).toBe(true);
  expect(numbersOf(arrived)).toHaveLength(200);
  await client.close();
});

test('a folder that can only be read still names the account', async () => {
  const known = { consent: 'granted', installation: '0a1b2c3d', losses: { torn: 3 } };
  writeFileSync(join(folder, 'state.json'), JSON.stringify(known));
  writeFileSync(join(folder, 'aside'), 'no folder');
  const client = await open();
  expect([client.durable, client.losses]).toEqual([false, { torn: 3 }]);
  await client.close();
});

test('a folder that is deleted while the game runs is made again; what was still open is sent, the rest counted', async () => {
  const printed: string[] = [];
  answer = (response) => response.destroy();
  const client = await open(
    {
      debug: (message) => printed.push(message),
      tuning: { ...tuning, sealAfterMs: 60_000, sealEvents: 10, backoffFromMs: 2_000, backoffToMs: 2_000 },
    },
    { random: () => 0.5 },
  );
  for (let n = 0; n < 15; n++) expect(client.track(event(n))).toBe(true);
  await expect.poll(() => printed.some((text) => text.includes('does not answer'))).toBe(true);
  const before = readFileSync(join(folder, 'state.json'), 'utf8');
  expect(client.durable).toBe(true);
  rmSync(folder, { recursive: true });
  expect(client.durable).toBe(false);
  for (let n = 15; n < 25; n++) expect(client.track(event(n))).toBe(true);
  expect(client.durable).toBe(true);
  expect(readFileSync(join(folder, 'state.json'), 'utf8')).toBe(before);
  answer = accept;
  expect(await client.flush()).toBe(true);
  await client.close();
  const sent = numbersOf(arrived).filter((n) => n >= 10);
  expect([...new Set(sent)]).toEqual(Array.from({ length: 15 }, (_, n) => n + 10));
  expect(client.losses).toEqual({ storage: 10 });
  expect(printed.join()).toContain('was deleted while the game runs');
});

test('sealed events that no account could send yet are counted as soon as their folder is gone', async () => {
  // Without a session, no one reads them to send them.
  answer = (response) => response.destroy();
  const client = await open({
    account: 'device',
    tuning: { ...tuning, sealAfterMs: 60_000, sealEvents: 10 },
  });
  for (let n = 0; n < 15; n++) expect(client.track(event(n))).toBe(true);
  await expect.poll(() => globSync('*/*.seal', { cwd: folder })).toHaveLength(1);
  rmSync(folder, { recursive: true });
  expect(client.track(event(15))).toBe(true);
  const saved = () => JSON.parse(readFileSync(join(folder, 'state.json'), 'utf8')).losses;
  await expect.poll(saved, { timeout: 10_000 }).toEqual({ storage: 10 });
  // The others are in a file that survives the process.
  await expect.poll(() => globSync('*/*.seal', { cwd: folder })).toHaveLength(1);
  expect(client.pending).toBe(6);
  await client.close({ timeoutMs: 0 });
});

test('a folder that can no longer be written is not durable, and track() says so at once until it can', async () => {
  const printed: string[] = [];
  const client = await open({ debug: (message) => printed.push(message) });
  expect(client.track(event(1))).toBe(true);
  expect(await client.flush()).toBe(true);
  rmSync(folder, { recursive: true });
  writeFileSync(folder, 'a file in its place');
  for (let n = 0; n < 10_000; n++) expect(client.track(event(n))).toBe(false);
  expect([client.durable, client.losses]).toEqual([false, { storage: 10_000 }]);
  expect(printed.filter((text) => text.includes('track() returns false'))).toHaveLength(1);
  await client.setConsent('denied');
  await client.setConsent('granted');
  rmSync(folder);
  await expect.poll(() => client.track(event(2)), { timeout: 5_000 }).toBe(true);
  expect(client.durable).toBe(true);
  expect(await client.flush()).toBe(true);
  await client.close();
  const next = await open();
  // Some 100 ms of the last poll are blocked too.
  expect(next.losses['storage']).toBe(client.losses['storage']);
  expect(next.losses['storage']).toBeGreaterThanOrEqual(10_000);
  await next.close();
});

test('a start on a folder that was deleted under another process costs that one no event without a count', async () => {
  answer = (response) => response.destroy();
  const printed: string[] = [];
  const more = {
    debug: (message: string) => printed.push(message),
    tuning: { ...tuning, sealAfterMs: 60_000, sealEvents: 10, backoffFromMs: 2_000, backoffToMs: 2_000 },
  };
  const former = await open(more, { random: () => 0.5 });
  for (let n = 0; n < 15; n++) former.track(event(n));
  await expect.poll(() => printed.some((text) => text.includes('does not answer'))).toBe(true);
  rmSync(folder, { recursive: true });
  const later = await open(more);
  for (let n = 30; n < 35; n++) expect(later.track(event(n))).toBe(true);
  for (let n = 15; n < 20; n++) expect(former.track(event(n))).toBe(true);
  answer = accept;
  expect(await Promise.all([former.flush(), later.flush()])).toEqual([true, true]);
  await Promise.all([former.close(), later.close()]);
  const sent = new Set(numbersOf(arrived).filter((n) => n >= 10));
  expect([...sent].sort()).toEqual([10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 30, 31, 32, 33, 34]);
  expect(former.losses).toEqual({ storage: 10 });
});

const advice: readonly (readonly [string, Partial<Options>, RegExp, (response: ServerResponse) => void])[] = [
  [
    'no answer',
    { url: 'http://127.0.0.1:9' },
    /^http:\/\/127\.0\.0\.1:9 does not answer \(.+\): check the option url/,
    (response) => response.destroy(),
  ],
  [
    'a web server that is not Tickrate',
    {},
    /answers HTTP 404, but not as Tickrate does \("<h1>"\): check that the option url .* Its events wait/,
    (response) => reply(response, 404, '<h1>'),
  ],
  [
    'a redirect',
    {},
    /answers HTTP 301, but not as Tickrate does .* without redirects\. Its events wait/,
    (response) => reply(response, 301, ''),
  ],
  [
    'a refusal with a code',
    {},
    /^a request was refused \(HTTP 400, code 1003: bad header\)\. Its events were set aside$/,
    (response) => reply(response, 400, '{"code":1003,"message":"bad header","data":{}}'),
  ],
  [
    'a rejected event',
    {},
    /^an event of type level version 1 was rejected at \/1\/eventType: no such type \(unknown\)\. Declare this type/,
    (response) =>
      reply(
        response,
        200,
        JSON.stringify({
          accepted: 1,
          rejected: [
            { index: 1, errors: [{ location: '/1/eventType', reason: 'unknown', message: 'no such type' }] },
          ],
        }),
      ),
  ],
  [
    'a key of the wrong kind',
    {},
    /^the option key is of the wrong kind \(2003\)/,
    (response) => reply(response, 403, '{"code":2003,"message":"x","data":{}}'),
  ],
];

test.each(advice)('a developer learns once what %s means', async (_, options, expected, answerBadly) => {
  const printed: string[] = [];
  answer = answerBadly;
  const client = await open({ ...options, debug: (message) => printed.push(message) });
  client.track(event(1));
  client.track(event(2));
  await client.flush({ timeoutMs: 200 });
  await expect.poll(() => printed.filter((text) => expected.test(text))).toHaveLength(1);
  await client.close({ timeoutMs: 0 });
});

test('the buffer drops its oldest segments beyond its bound, and counts them', async () => {
  answer = (response) => response.destroy();
  const client = await open({ tuning: { ...tuning, bufferBytes: 20_000, sealBytes: 2_000 } });
  for (let n = 0; n < 1_000; n++) client.track(event(n));
  await expect.poll(() => client.losses['bufferFull'] ?? 0).toBeGreaterThan(500);
  arrived.length = 0;
  answer = accept;
  expect(await client.flush()).toBe(true);
  const sent = numbersOf(arrived);
  expect(sent.length + (client.losses['bufferFull'] ?? 0)).toBe(1_000);
  expect(sent.at(-1)).toBe(999);
  await client.close();
});

test('a clock that jumps begins a new segment; the clock of the request corrects it', async () => {
  let wallMs = 5_000;
  let monotonicMs = 0;
  const client = await open(
    { tuning: { ...tuning, sealAfterMs: 60_000 } },
    { wallMs: () => wallMs, monotonicMs: () => monotonicMs },
  );
  client.track(event(1));
  wallMs = Date.UTC(2026, 0, 1);
  monotonicMs = 1_000;
  client.track(event(2));
  monotonicMs = 3_000;
  client.flush().catch(() => undefined);
  await expect.poll(() => client.pending).toBe(0);
  const [first, second] = arrived;
  expect([first?.body.includes('1970-01-01T00:00:05.000Z'), first?.headers['x-client-time']]).toEqual([
    true,
    '8000',
  ]);
  expect(second?.body).toContain('2026-01-01T00:00:00.000Z');
  expect(second?.headers['x-client-time']).toBe(String(Date.UTC(2026, 0, 1) + 2_000));
  await client.close();
});

test('two clients share a folder, and a state edited by hand is not believed', async () => {
  writeFileSync(join(folder, 'state.json'), '{"consent":"granted","installation":"../../x"}');
  const [first, second] = [await open(), await open()];
  for (let n = 0; n < 100; n++) (n % 2 ? first : second).track(event(n));
  expect([await first.flush(), await second.flush()]).toEqual([true, true]);
  expect(numbersOf(arrived).toSorted((a, b) => a - b)).toEqual(Array.from({ length: 100 }, (_, n) => n));
  await Promise.all([first.close(), second.close()]);
});

test('a device signs in once, with one key until the answer is stored, and its events go under its session', async () => {
  const session = { apiKey: 'tk_ses_1', accountId: 'u-1', start: 0, expiry: 4_000_000_000 };
  let refusals = 2;
  answer = (response, request) => {
    if (request.path.startsWith('/v1/')) return accept(response, request);
    if (refusals-- > 0) return response.destroy();
    const issuedDeviceToken = { deviceId: 'd-1', deviceSecret: 's-1' };
    reply(
      response,
      200,
      JSON.stringify({ exchangeId: 'x', authenticatedSession: session, issuedDeviceToken }),
    );
  };
  const client = await open({ account: 'device' });
  client.track(event(1));
  expect(await client.flush()).toBe(true);
  const signIns = arrived.filter(({ path }) => path.endsWith('/authenticate'));
  expect(new Set(signIns.map(({ key }) => key)).size).toBe(1);
  expect(signIns[0]?.body).toBe('{"tokens":{"deviceTokens":[{"deviceId":"new"}]}}');
  expect(arrived.at(-1)?.headers['x-api-key']).toBe('tk_ses_1');
  await client.close();
  arrived.length = 0;
  const second = await open({ account: 'device' });
  second.track(event(2));
  expect(await second.flush()).toBe(true);
  expect(arrived[0]?.body).toBe('{"tokens":{"deviceTokens":[{"deviceId":"d-1","deviceSecret":"s-1"}]}}');
  await second.close();
});

test('a sign-in asks, seals, and later events are the player’s', async () => {
  const session = (n: number) => ({
    apiKey: `tk_ses_${n}`,
    accountId: `u-${n}`,
    start: 0,
    expiry: 4_000_000_000,
  });
  answer = (response, request) => {
    if (request.path.startsWith('/v1/')) return accept(response, request);
    const sent = JSON.parse(request.body);
    const isDone = sent.tokens || sent.password;
    const made = isDone
      ? { authenticatedSession: session(sent.tokens ? 1 : 2) }
      : { promptForPassword: true };
    reply(response, 200, JSON.stringify({ exchangeId: 'x', ...made }));
  };
  const client = await open({ account: 'device' });
  client.track(event(1));
  let step = await client.signIn({ email: 'ada@example.com' });
  expect(step.prompt).toBe('password');
  if (step.prompt !== null) step = await step.answer({ password: 'correct horse' });
  expect(step).toMatchObject({ prompt: null, accountId: 'u-2', error: null });
  client.track(event(2));
  client.signOut();
  client.track(event(3));
  expect(await client.flush()).toBe(true);
  // The device's own sign-in may answer after the player's: only who sent which event is certain.
  const sent = arrived.filter(({ path }) => path.startsWith('/v1/'));
  const keys = sent.map(({ headers, body }) => `${headers['x-api-key']} ${numbersOf([{ body } as Arrived])}`);
  expect(keys.toSorted()).toEqual(['tk_ses_1 1', 'tk_ses_1 3', 'tk_ses_2 2']);
  await client.close();
});

test('a developer learns once that the clock is off by more than a minute', async () => {
  const printed: string[] = [];
  const debug = (message: string) => printed.push(message);
  for (const offMs of [30_000, -7_200_000]) {
    const client = await open({ debug }, { wallMs: () => Date.now() + offMs });
    for (const n of [1, 2]) {
      client.track(event(n));
      expect(await client.flush()).toBe(true);
    }
    await client.close();
  }
  const aboutClock = printed.filter((text) => text.includes('clock'));
  expect(aboutClock).toEqual([
    expect.stringMatching(/^this device's clock is 7[12]\d\d s behind the server's/),
  ]);
});

test('a key and its successor have one folder, and another key has its own', async () => {
  const program = `
    const { Tickrate } = await import(${JSON.stringify(import.meta.resolve('./node.ts'))});
    for (const key of ['tk_pub_aaaaaB', 'tk_pub_aaaaaC', 'tk_pub_bbbbbB']) {
      const client = await Tickrate.open({ url: 'http://127.0.0.1:1', key, account: 'key', consent: 'granted' });
      client.track(${JSON.stringify(event(0))});
      await client.close({ timeoutMs: 0 });
    }`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    env: { HOME: folder, USERPROFILE: folder },
    stdio: 'ignore',
  });
  const [code] = await once(child, 'exit');
  expect(code).toBe(0);
  const sealed = readdirSync(folder, { recursive: true }).filter((name) => String(name).endsWith('.seal'));
  const counts = Map.groupBy(sealed, (name) => dirname(dirname(String(name))));
  expect([...counts.values()].map(({ length }) => length).sort()).toEqual([1, 2]);
});

test('debug mode says when a consent is missing, and events that wait for it are not stored', async () => {
  const printed: string[] = [];
  const client = await open({ consent: 'unknown', debug: (message) => printed.push(message) });
  expect(printed.join()).toContain('the consent is unknown');
  client.track(event(0));
  expect(await client.stored()).toBe(false);
  await client.setConsent('granted');
  expect(await client.stored()).toBe(true);
  await client.close();
});
