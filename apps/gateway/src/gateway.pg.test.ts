import { limits } from '@tickrate/contract';
import { waitUntil } from '@tickrate/testkit';
import { describe, expect, test } from 'vitest';
import { createSender, startWorld } from './testing/gateway-world.ts';

const { world } = await startWorld();
const insert = 'insert?eventType=level';
const batch = 'batchInsert?eventType=level';
const event = { level: 3, name: 'Ada' };
const gateway = await world.gateway();
const { send, refusal } = createSender(gateway);

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
    const given = [clientMs - 5_000, clientMs - 40 * day, clientMs + day];
    const elements = [
      ...given.map((ms) => ({ eventType: 'level', event, occurredAt: at(ms) })),
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
    expect(rows.map((row) => row.clientMs)).toEqual([...given, clientMs - 7_000]);
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
    await waitUntil(async () => (await send(old)).status === 410);
    expect(await refusal(old)).toMatchObject({ code: 8004, availableVersions: ['2'] });
    expect(await refusal({ ...old, path: `${insert}&eventTypeVersion=9` })).toMatchObject({
      code: 8002,
      invalidIdentifier: '9',
      availableVersions: ['2'],
    });
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
  const { body, headers: given, status } = await gateway.send({ path: insert, headers, body: event });
  expect([status, given['x-request-id'], given['content-type']]).toEqual([
    401,
    'mine-1',
    'application/problem+json; charset=utf-8',
  ]);
  expect(body).toMatchObject({ code: 2001, status: 401, type: 'urn:tickrate:error:apiKeyMissing' });
});
