import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { createApiKeyText, errorCatalogue, limits } from '@tickrate/contract';
import { freshPostgres, waitUntil } from '@tickrate/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Answer, type Call, createWorld, type RunningGateway, type World } from './gateway-harness.ts';

const { url } = await freshPostgres();
const insert = 'insert?eventType=level';
const batch = 'batchInsert?eventType=level';
const event = { level: 3, name: 'Ada' };
let world: World;
let gateway: RunningGateway;

beforeAll(async () => {
  world = await createWorld({ postgresUrl: url, queueUrl: url, waitUntil });
  gateway = await world.gateway();
});
afterAll(() => world.close());

/** Sends a request and checks what is true of every answer. */
async function send(call: Call): Promise<Answer> {
  const answer = await gateway.send(call);
  expect(answer.headers['x-request-id']).toMatch(/^[A-Za-z0-9._-]{1,64}$/);
  expect(answer.headers['content-type']).toMatch(/^application\/json/);
  if (answer.status === 200) return answer;
  const { code, message, fields, data } = answer.body;
  const entry = Object.entries(errorCatalogue).find(([reason]) => reason === data.reason)?.[1];
  expect([entry?.code, entry?.status]).toEqual([code, answer.status]);
  expect(typeof message).toBe('string');
  expect(fields === null || typeof fields === 'string').toBe(true);
  expect(data.requestId).toBe(answer.headers['x-request-id']);
  if (data.retryAfterSeconds !== undefined)
    expect(answer.headers['retry-after']).toBe(String(data.retryAfterSeconds));
  return answer;
}

async function refusal(call: Call): Promise<Record<string, unknown>> {
  const { body } = await send(call);
  return { code: body.code, ...body.data };
}

describe('an event that was accepted', () => {
  test.each(['PUT', 'POST'])('by %s is in the queue, with its whole envelope', async (method) => {
    const { projectId, key } = await world.project();
    const before = Date.now();
    const headers = { 'X-Tickrate-SDK': 'unity/1.2', 'Content-Type': 'application/json; charset=utf-8' };
    expect(await send({ method, path: insert, key, body: event, headers })).toMatchObject({
      status: 200,
      body: true,
    });
    const [row] = await world.rows(projectId, 1);
    expect(row).toMatchObject({
      project: projectId,
      type: 'level',
      version: 1,
      keyKind: 'public',
      sessionId: '',
      accountId: '',
      clientAddress: '',
      clientMs: null,
      sdkName: 'unity',
      sdkVersion: '1.2',
    });
    expect(row?.data).toEqual(new Map<string, unknown>(Object.entries({ level: 3n, name: 'Ada' })));
    expect(row?.receivedMs).toBeGreaterThanOrEqual(before);
    expect(row?.occurredMs).toBe(row?.receivedMs);
    expect(world.chunks.find(({ id }) => id === row?.chunkId)?.projectId).toBe(projectId);
  });

  test('of a batch is stored with all the others, or without the rejected ones in a partial batch', async () => {
    const { projectId, key } = await world.project();
    const mixed = [event, { level: 'x' }, event];
    expect((await send({ path: batch, key, body: [event, event] })).body).toBe(true);
    expect(await refusal({ path: batch, key, body: mixed })).toMatchObject({
      code: 8005,
      parameterName: '/1/level',
      queryFailureErrors: [
        { domain: 'event', location: '/1/level', locationType: 'body', reason: 'typeMismatch' },
      ],
    });
    expect(
      (await send({ method: 'POST', path: `${batch}&partial=true`, key, body: mixed })).body,
    ).toMatchObject({
      accepted: 2,
      rejected: [{ index: 1, errors: [{ location: '/1/level', reason: 'typeMismatch' }] }],
    });
    expect((await send({ path: batch, key, body: [] })).body).toBe(true);
    expect((await send({ path: `${batch}&partial=true`, key, body: [] })).body).toEqual({
      accepted: 0,
      rejected: [],
    });
    expect(await world.rows(projectId, 4)).toHaveLength(4);
  });

  test('of one of many types is stored under its type, as array or as lines', async () => {
    const { projectId, key } = await world.project();
    await world.registry.declareEventType({ projectId, name: 'start', declaration: { type: 'object' } });
    const elements = [
      { eventType: 'level', event },
      { eventType: 'nix', event },
      { eventType: 'start', eventTypeVersion: 1, event: {} },
    ];
    const answer = { accepted: 2, rejected: [{ index: 1, errors: [{ location: '/1/eventType' }] }] };
    expect((await send({ path: 'multiInsert', key, body: elements })).body).toMatchObject(answer);
    const lines = elements.map((element) => JSON.stringify(element)).join('\r\n');
    const headers = { 'Content-Type': 'application/x-ndjson' };
    const posted = await send({ method: 'POST', path: 'multiInsert', key, body: lines, headers });
    expect(posted.body).toMatchObject(answer);
    expect(await refusal({ path: 'multiInsert?atomic=true', key, body: elements })).toMatchObject({
      code: 8005,
      parameterName: '/1/eventType',
    });
    const types = (await world.rows(projectId, 4)).map(({ type }) => type);
    expect(types.toSorted()).toEqual(['level', 'level', 'start', 'start']);
  });

  test('has its time corrected by the skew of the clocks, within bounds', async () => {
    const { projectId, key } = await world.project();
    const clientMs = Date.UTC(2020, 0, 1);
    const at = (ms: number) => new Date(ms).toISOString();
    const day = 86_400_000;
    const told = [clientMs - 5_000, clientMs - 40 * day, clientMs + day];
    const elements = [
      ...told.map((ms) => ({ eventType: 'level', event, occurredAt: at(ms) })),
      { eventType: 'level', event: { level: 1, at: at(clientMs - 7_000) }, occurredAt: at(clientMs) },
    ];
    const headers = { 'X-Client-Time': String(clientMs) };
    expect((await send({ path: 'multiInsert', key, body: elements, headers })).body.accepted).toBe(4);
    const rows = await world.rows(projectId, 4);
    expect(rows.map(({ occurredMs, receivedMs }) => occurredMs - receivedMs)).toEqual([
      -5_000,
      -limits.occurredPastMs,
      limits.occurredFutureMs,
      -7_000,
    ]);
    expect(rows.map((row) => row.clientMs)).toEqual([...told, clientMs - 7_000]);
  });

  test('has the keys that drop a repeat, and the repeat has the same answer', async () => {
    const { projectId, key } = await world.project();
    const eventId = '0192f0c0-7d2e-7000-8000-0000000000aa';
    const call = {
      path: 'multiInsert',
      key,
      headers: { 'Idempotency-Key': 'retry-1' },
      body: [
        { eventType: 'level', event },
        { eventType: 'level', event, eventId },
      ],
    };
    const answers = [await send(call), await send(call)];
    expect(answers.map(({ body }) => body)).toEqual([answers[0]?.body, answers[0]?.body]);
    const rows = await world.rows(projectId, 4);
    expect(rows.filter((row) => row.eventId === eventId)).toHaveLength(2);
    const keys = world.chunks
      .filter((chunk) => chunk.projectId === projectId)
      .flatMap((chunk) => chunk.idempotency);
    expect(keys).toHaveLength(4);
    expect(new Set(keys.map((run) => run.key)).size).toBe(2);
  });

  test('of a deprecated version returns a warning; the newest version is the default', async () => {
    const { projectId, key } = await world.project();
    const declaration = {
      type: 'object',
      properties: { level: { type: 'integer' }, name: { type: 'string' } },
    };
    await world.registry.declareEventType({ projectId, name: 'level', declaration });
    const status = { projectId, name: 'level', version: 1, status: 'deprecated' } as const;
    await world.registry.setVersionStatus(status);
    const old = { path: `${insert}&eventTypeVersion=1`, key, body: event };
    expect((await send(old)).headers['deprecation']).toBe('true');
    expect((await send({ path: insert, key, body: event })).headers['deprecation']).toBeUndefined();
    const versions = (await world.rows(projectId, 2)).map(({ version }) => version);
    expect(versions.toSorted()).toEqual([1, 2]);
    await world.registry.setVersionStatus({ ...status, status: 'retired' });
    await waitUntil(async () => (await send(old)).status === 410, { timeoutMs: 1_000 });
    expect(await refusal(old)).toMatchObject({ code: 8004, availableVersions: ['2'] });
    expect(await refusal({ ...old, path: `${insert}&eventTypeVersion=9` })).toMatchObject({
      code: 8002,
      invalidIdentifier: '9',
      availableVersions: ['2'],
    });
  });
});

describe('a key', () => {
  test('is read from each place where clients put it', async () => {
    const { projectId, key } = await world.project();
    const { text } = await world.registry.createKey({
      projectId,
      kind: 'administrative',
      comment: 'CI',
      createdBy: 'test',
    });
    const calls: Call[] = [
      { path: insert, key: text },
      { path: insert, headers: { Authorization: `Bearer ${key}` } },
      { path: insert, headers: { api_key: key } },
      {
        method: 'POST',
        path: `${insert}&apiKey=${key}`,
        headers: { 'Content-Type': 'text/plain;charset=UTF-8' },
      },
    ];
    for (const call of calls) expect((await send({ ...call, body: event })).body).toBe(true);
    expect(await refusal({ path: `${insert}&apiKey=${key}`, body: event })).toMatchObject({ code: 2001 });
    const kinds = (await world.rows(projectId, 4)).map(({ keyKind }) => keyKind);
    expect(kinds.toSorted()).toEqual(['administrative', 'public', 'public', 'public']);
  });

  test('that is missing is 2001; an unknown, malformed or expired one is 2002', async () => {
    const { projectId, key } = await world.project();
    const expired = await world.registry.createKey({
      projectId,
      kind: 'public',
      comment: 'short',
      createdBy: 'test',
      expiresMs: Date.now() + 30,
    });
    await waitUntil(() => Date.now() > (expired.key.expiresMs ?? 0));
    const typo = key.slice(0, -1) + (key.endsWith('a') ? 'b' : 'a');
    expect(await refusal({ path: insert, body: event })).toMatchObject({ code: 2001 });
    const unknown = [createApiKeyText('public', randomBytes), createApiKeyText('session', randomBytes)];
    for (const bad of [...unknown, 'nonsense', typo, key.toUpperCase(), expired.text]) {
      const answer = await send({ path: insert, key: bad, body: event });
      expect([answer.status, answer.body.code, answer.body.fields]).toEqual([401, 2002, null]);
    }
  });

  test('and a declaration take effect within a second, and end within a second', async () => {
    const { projectId, key } = await world.project();
    const second = { timeoutMs: 1_000 };
    const late = { path: 'insert?eventType=late', key, body: {} };
    expect(await refusal(late)).toMatchObject({ code: 8001, invalidIdentifier: 'late' });
    await world.registry.declareEventType({ projectId, name: 'late', declaration: { type: 'object' } });
    await waitUntil(async () => (await send(late)).status === 200, second);
    const [record] = await world.registry.keys(projectId);
    await world.registry.revokeKey(record?.id ?? '');
    await waitUntil(async () => (await send(late)).body.code === 2002, second);
  });

  test('does not see the types of another project', async () => {
    const [one, other] = [await world.project(), await world.project()];
    await world.registry.declareEventType({ ...one, name: 'secret', declaration: { type: 'object' } });
    const unknown = await refusal({ path: 'insert?eventType=secret', key: other.key, body: {} });
    expect(unknown).toMatchObject({ code: 8001, invalidIdentifier: 'secret' });
  });

  test('with a list of origins is refused to other web pages: 2007', async () => {
    const { projectId } = await world.project();
    const origins = ['https://kart.example'];
    const asked = { projectId, kind: 'public', comment: 'web', createdBy: 'test', origins } as const;
    const { text: key } = await world.registry.createKey(asked);
    const from = (Origin: string) => send({ path: insert, key, body: event, headers: { Origin } });
    const allowed = await from('https://kart.example');
    expect([allowed.body, allowed.headers['access-control-allow-origin']]).toEqual([true, '*']);
    for (const origin of ['https://evil.example', 'http://kart.example', 'null'])
      expect((await from(origin)).body.code).toBe(2007);
    expect((await send({ path: insert, key, body: event })).body).toBe(true);
  });

  test('that sends too often receives 6002 with a delay', async () => {
    const { key } = await world.project();
    const slow = await world.gateway({ RATE_PER_KEY: '1' });
    const sending = Array.from({ length: 3 }, () => slow.send({ path: insert, key, body: event }));
    const answers = (await Promise.all(sending)).toSorted((a, b) => a.status - b.status);
    expect(answers.map(({ status }) => status)).toEqual([200, 429, 429]);
    const { body, headers } = answers[2] ?? {};
    expect([body.code, headers?.['retry-after']]).toEqual([6002, String(body.data.retryAfterSeconds)]);
    expect(headers?.['ratelimit']).toContain('"key";r=0');
    await slow.stop();
  });
});

describe('an invalid request', () => {
  test('is refused by the catalogue, with nothing stored', async () => {
    const { projectId, key } = await world.project();
    const cases: [Call, number, object?][] = [
      [{ path: 'insert', body: event }, 1003, { parameterName: 'eventType', parameterIsMissing: true }],
      [{ path: `${insert}&eventTypeVersion=x`, body: event }, 1003, { parameterName: 'eventTypeVersion' }],
      [{ path: insert, headers: { 'Idempotency-Key': 'a b' }, body: event }, 1003],
      [{ path: insert, headers: { 'X-Client-Time': 'x' }, body: event }, 1003],
      [{ path: insert, body: '{"level":1' }, 1001, { offset: 10 }],
      [{ path: insert }, 1001, { offset: 0 }],
      [{ path: insert, body: '{"level":1,"level":1}' }, 1001],
      [{ path: insert, body: Buffer.from([0x7b, 0xff]) }, 1001],
      [{ path: insert, body: Buffer.from('\uFEFF{"level":1}', 'utf16le') }, 1001],
      [{ path: insert, body: `${'{"a":'.repeat(40)}1${'}'.repeat(40)}` }, 1001],
      [{ path: insert, body: '{"__proto__":1}' }, 1003, { parameterName: '__proto__' }],
      [{ path: insert, body: '[]' }, 1002],
      ...[insert, batch, 'multiInsert'].flatMap((path): [Call, number][] => [
        [{ path, body: '' }, 1001],
        ...['null', '"x"', '1', 'true'].map((body): [Call, number] => [{ path, body }, 1002]),
      ]),
      [{ path: 'multiInsert', body: '{}' }, 1002],
      [{ path: batch, body: '{}' }, 1002],
      [{ path: batch, body: 'null' }, 1002],
      [{ path: 'multiInsert', body: '5' }, 1002],
      [{ path: insert, body: { level: -1 } }, 8005, { parameterName: '/level' }],
      [{ path: insert, body: { level: 1, name: 'x'.repeat(70_000) } }, 8007, { amount: limits.eventBytes }],
      [{ path: insert, body: Buffer.alloc(limits.singleEventBodyBytes + 1) }, 1004, { amount: 1_048_576 }],
      [{ path: batch, body: Buffer.alloc(limits.eventBodyBytes + 1) }, 1004, { amount: 8_388_608 }],
      [{ path: batch, body: `[${'{"level":1},'.repeat(10_000)}{"level":1}]` }, 8006, { amount: 10_000 }],
      [{ path: insert, body: event, headers: { 'Content-Type': 'text/html' } }, 1005],
      [{ path: insert, body: event, headers: { 'Content-Type': 'application/json; charset=latin1' } }, 1005],
      [{ path: insert, body: event, headers: { 'Content-Encoding': 'lzw' } }, 1005],
      [{ path: insert, body: event, headers: { 'Content-Encoding': 'gzip' } }, 1009],
      [{ path: 'insert?eventType=nix', body: event }, 8001, { invalidIdentifier: 'nix' }],
      [{ path: 'insert?eventType=%00', body: event }, 8001],
      [{ path: 'nix', body: event }, 1006],
      [{ path: '../../v7/event/insert', body: event }, 1006, { knownVersions: ['v1'] }],
      [{ method: 'GET', path: insert }, 1007],
      [{ method: 'DELETE', path: insert }, 1007],
    ];
    for (const [call, code, data = {}] of cases) {
      const refused = await refusal({ key, ...call });
      expect(refused, `${JSON.stringify(call).slice(0, 80)}`).toMatchObject({ code, ...data });
    }
    expect((await gateway.send({ method: 'GET', path: insert, key })).headers['allow']).toBe('POST, PUT');
    expect((await send({ path: insert, key, body: event })).body).toBe(true);
    expect(await world.rows(projectId, 1)).toHaveLength(1);
  });

  test('that inflates beyond its limit returns 1004, in every coding', async () => {
    const { projectId, key } = await world.project();
    const codings = { gzip: gzipSync, deflate: deflateSync, br: brotliCompressSync, zstd: zstdCompressSync };
    const bomb = Buffer.alloc(32 * 1024 * 1024, '[');
    for (const [coding, compress] of Object.entries(codings)) {
      const headers = { 'Content-Encoding': coding };
      const good = compress(Buffer.from(JSON.stringify([event])));
      expect((await send({ path: batch, key, headers, body: good })).body).toBe(true);
      const began = performance.now();
      const refused = await refusal({
        path: batch,
        key,
        headers,
        body: compress(bomb),
      });
      expect([coding, refused['code']]).toEqual([coding, 1004]);
      expect(performance.now() - began).toBeLessThan(5_000);
      const truncated = await refusal({ path: batch, key, headers, body: good.subarray(0, good.length - 3) });
      expect([coding, truncated['code']]).toEqual([coding, 1009]);
    }
    expect(await world.rows(projectId, 4)).toHaveLength(4);
  });

  test('that stops in the middle of its body returns 1008', async () => {
    const { key } = await world.project();
    const { hostname, port } = new URL(gateway.url);
    const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
    socket.end(
      `PUT /v1/event/${insert} HTTP/1.1\r\nHost: x\r\nX-API-Key: ${key}\r\nContent-Length: 100\r\n\r\n{"level`,
    );
    let text = '';
    socket.setEncoding('utf8').on('data', (part: string) => {
      text += part;
    });
    await once(socket, 'close');
    expect(text).toMatch(/^HTTP\/1.1 408 /);
    expect(text).toContain('"code":1008');
  });

  test('is accepted in the spellings of old clients', async () => {
    const { projectId, key } = await world.project();
    const calls: Call[] = [
      { path: `${insert}&` },
      { path: `${insert}?`.replace('level?', 'level') },
      { path: insert, headers: { Accept: 'text/html' } },
      { path: insert, headers: { 'Content-Type': '' } },
      { path: insert, headers: { 'Content-Type': 'application/vnd.kart+json' } },
      { path: insert, headers: { 'Transfer-Encoding': 'chunked' } },
      { path: insert, headers: { Expect: '100-continue' } },
    ];
    for (const call of calls) expect((await send({ ...call, key, body: event })).body).toBe(true);
    expect(await world.rows(projectId, calls.length)).toHaveLength(calls.length);
  });
});

test('the events of a flooding project use another lane of the queue than those of other projects', async () => {
  const [flood, other] = [await world.project(), await world.project()];
  const narrow = await world.gateway({ EXPRESS_BYTES: '1' });
  const many = Array.from({ length: 1_000 }, (_, level) => ({ level }));
  for (let n = 0; n < 5; n++) await narrow.send({ path: batch, key: flood.key, body: many });
  await narrow.send({ path: insert, key: other.key, body: event });
  await world.rows(flood.projectId, 5_000);
  await world.rows(other.projectId, 1);
  const lanesOf = ({ projectId }: typeof flood) =>
    world.chunks.filter((chunk) => chunk.projectId === projectId).map(({ id }) => world.laneOf(id));
  // Earlier chunks decide the lane, and the first one has none.
  expect(lanesOf(flood).toSorted()).toEqual(['bulk', 'bulk', 'bulk', 'bulk', 'express']);
  expect(lanesOf(other)).toEqual(['express']);
  await narrow.stop();
});

test('a preflight is answered for any origin', async () => {
  const headers = {
    Origin: 'https://kart.example',
    'Access-Control-Request-Method': 'PUT',
    'Access-Control-Request-Headers': 'x-api-key,content-type,idempotency-key,content-encoding',
  };
  const answer = await send({ method: 'OPTIONS', path: insert, headers });
  expect([answer.status, answer.headers['access-control-allow-origin']]).toEqual([200, '*']);
  const allowed = String(answer.headers['access-control-allow-headers']).toLowerCase();
  for (const name of headers['Access-Control-Request-Headers'].split(',')) expect(allowed).toContain(name);
  expect(Number(answer.headers['access-control-max-age'])).toBeGreaterThan(0);
});

test('a client can set the request id, and request problem details', async () => {
  const headers = { 'X-Request-Id': 'mine-1', Accept: 'application/problem+json' };
  const { body, headers: told, status } = await gateway.send({ path: insert, headers, body: event });
  expect([status, told['x-request-id'], told['content-type']]).toEqual([
    401,
    'mine-1',
    'application/problem+json; charset=utf-8',
  ]);
  expect(body).toMatchObject({ code: 2001, status: 401, type: 'urn:tickrate:error:apiKeyMissing' });
});

test('a large body of faulty events does not delay other requests', async () => {
  const { key } = await world.project();
  const faulty = Object.fromEntries(Array.from({ length: 80 }, (_, n) => [`u${n}`, n]));
  const body = JSON.stringify(Array.from({ length: 9_000 }, () => faulty));
  let isDone = false;
  const large = gateway.send({ path: `${batch}&partial=true`, key, body }).finally(() => {
    isDone = true;
  });
  // Processor time, not wall-clock time: others use this machine too.
  const blockedMs: number[] = [];
  while (!isDone) {
    const before = process.cpuUsage();
    await new Promise(setImmediate);
    const { user, system } = process.cpuUsage(before);
    blockedMs.push((user + system) / 1000);
  }
  expect((await large).body.rejected).toHaveLength(9_000);
  expect(blockedMs.reduce((most, ms) => Math.max(most, ms), 0)).toBeLessThan(250);
});
