import { randomBytes, randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { createApiKeyText, hashApiKey } from '@tickrate/contract';
import { createLedger } from '@tickrate/pipeline';
import { afterAll, describe, expect, test } from 'vitest';
import { type SampleProject, startWorld } from '../testing/gateway-world.ts';

const { world, url, run } = await startWorld();
const ledger = createLedger({ postgresUrl: url });

const gateway = await world.gateway();
const second = await world.gateway();
afterAll(() => ledger.close());

const line = (level: number) => `${JSON.stringify({ eventType: 'level', event: { level } })}\n`;
const reused = { code: 8010, data: { reason: 'idempotencyKeyReused' } };
const keyed = { 'Idempotency-Key': 'segment-1' };
const lines = { ...keyed, 'Content-Type': 'application/x-ndjson' };

const ways = [
  ['insert', { path: 'insert?eventType=level', headers: keyed }, { level: 1 }, { level: 2 }],
  ['batchInsert', { path: 'batchInsert?eventType=level', headers: keyed }, [{ level: 1 }], [{ level: 2 }]],
  [
    'multiInsert',
    { path: 'multiInsert', headers: keyed },
    [{ eventType: 'level', event: { level: 1 } }],
    [{ eventType: 'level', event: { level: 2 } }],
  ],
  ['multiInsert of lines', { path: 'multiInsert', headers: lines }, line(1), line(2)],
] as const;

// Invariant (Delivery): An `Idempotency-Key` with another body returns 409 and stores nothing; late events
// of an ended session are its account's, and none are accepted after a ban or erasure
describe.each(ways)('an Idempotency-Key of %s', (_, call, body, other) => {
  test('returns 409 with another body and stores nothing of it', async () => {
    const { key, projectId } = await world.project();
    expect((await gateway.send({ ...call, key, body })).status).toBe(200);
    expect(await gateway.send({ ...call, key, body: other })).toMatchObject({ status: 409, body: reused });
    expect((await gateway.send({ ...call, key, body })).status).toBe(200);
    expect(await world.rows(projectId, 2)).toHaveLength(2);
  });

  test('returns 409 on every gateway once the ledger has the first body', async () => {
    const { key, projectId } = await world.project();
    await gateway.send({ ...call, key, body });
    await seal(projectId, 1);
    expect(await second.send({ ...call, key, body: other })).toMatchObject({ status: 409, body: reused });
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const headers = { ...call.headers, 'Content-Encoding': 'gzip' };
    const again = await second.send({ ...call, headers, key, body: gzipSync(text) });
    expect(again.status).toBe(200);
  });
});

test('the same body with another event type counts as another body', async () => {
  const { key, projectId } = await world.project();
  await world.registry.declareEventType({
    projectId,
    name: 'depth',
    declaration: { type: 'object', properties: { level: { type: 'integer' } } },
  });
  const body = { level: 1 };
  await gateway.send({ path: 'insert?eventType=level', key, headers: keyed, body });
  const other = await gateway.send({ path: 'insert?eventType=depth', key, headers: keyed, body });
  expect(other).toMatchObject({ status: 409, body: reused });
});

test('a body without accepted events does not use up its key', async () => {
  const { key } = await world.project();
  const call = { path: 'multiInsert', key, headers: lines };
  expect((await gateway.send({ ...call, body: line(-1) })).body.accepted).toBe(0);
  expect((await gateway.send({ ...call, body: line(1) })).status).toBe(200);
});

describe('a beacon', () => {
  const plain = { 'Content-Type': 'text/plain;charset=UTF-8' };
  const path = (key: string) =>
    `multiInsert?apiKey=${key}&idempotencyKey=segment-9&clientTime=${Date.now() - 3_600_000}`;

  test('has its key, its clock and NDJSON as plain text', async () => {
    const { key, projectId } = await world.project();
    const body = `${line(1)}${line(2)}`;
    const answer = await gateway.send({ method: 'POST', path: path(key), headers: plain, body });
    expect([answer.status, answer.body]).toEqual([200, { accepted: 2, rejected: [] }]);
    const changed = { eventType: 'level', occurredAt: new Date(Date.now() - 3_600_000), event: { level: 3 } };
    await gateway.send({
      method: 'POST',
      path: path(key).replace('-9', '-8'),
      headers: plain,
      body: [changed],
    });
    const rows = await world.rows(projectId, 3);
    const skewed = rows.find(({ data }) => data.get('level') === 3n);
    expect(Math.abs((skewed?.occurredMs ?? 0) - Date.now())).toBeLessThan(60_000);
  });

  test('is recognised when it is sent again as a stream with headers', async () => {
    const { key, projectId } = await world.project();
    await gateway.send({ method: 'POST', path: path(key), headers: plain, body: line(1) });
    const headers = { 'Content-Type': 'application/x-ndjson', 'Idempotency-Key': 'segment-9' };
    expect((await gateway.send({ path: 'multiInsert', key, headers, body: line(1) })).status).toBe(200);
    await world.rows(projectId, 2);
    expect((await seal(projectId, 2)).reduce((sum, count) => sum + count, 0)).toBe(1);
  });

  test('with an invalid key or clock in the query returns 1003', async () => {
    const { key } = await world.project();
    for (const query of ['idempotencyKey=%20', 'clientTime=yesterday']) {
      const call = { method: 'POST', path: `multiInsert?apiKey=${key}&${query}`, headers: plain };
      expect((await gateway.send({ ...call, body: line(1) })).body.code).toBe(1003);
    }
  });
});

describe('event times that were limited', () => {
  const at = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
  const element = (days: number) => ({ eventType: 'level', occurredAt: at(days), event: { level: 1 } });
  const body = [element(-31), element(-29), element(1), element(0)];

  test('are counted in the notices of the answer', async () => {
    const { key } = await world.project();
    const notices = [{ notice: 'occurredClamped', count: 2 }];
    const whole = await gateway.send({ path: 'multiInsert', key, body });
    expect(whole.body).toEqual({ accepted: 4, rejected: [], notices });
    const headers = { 'Content-Type': 'application/x-ndjson' };
    const text = body.map((each) => `${JSON.stringify(each)}\n`).join('');
    const stream = await gateway.send({ path: 'multiInsert', key, headers, body: text });
    expect(stream.body).toEqual({ accepted: 4, rejected: [], notices });
    const fine = await gateway.send({ path: 'multiInsert', key, body: [element(-29)] });
    expect(fine.body).toEqual({ accepted: 1, rejected: [] });
  });

  test('are counted in a header where the answer has no members', async () => {
    const project = await world.project();
    const properties = { when: { type: 'string', format: 'date-time', 'x-occurred-at': true } };
    const { projectId, key } = project;
    await world.registry.declareEventType({
      projectId,
      name: 'at',
      declaration: { type: 'object', properties },
    });
    const insert = await gateway.send({ path: 'insert?eventType=at', key, body: { when: at(-40) } });
    expect([insert.body, insert.headers['x-tickrate-notices']]).toEqual([true, 'occurredClamped=1']);
    const events = [{ when: at(-40) }, { when: at(-31) }, { when: at(0) }];
    const batch = await gateway.send({ path: 'batchInsert?eventType=at', key, body: events });
    expect([batch.body, batch.headers['x-tickrate-notices']]).toEqual([true, 'occurredClamped=2']);
    const partial = await gateway.send({ path: 'batchInsert?eventType=at&partial=true', key, body: events });
    expect(partial.body.notices).toEqual([{ notice: 'occurredClamped', count: 2 }]);
  });
});

describe('the key of an ended session', () => {
  const cases = [
    ['that expired', "now() - interval '29 days'", 'NULL', 200],
    ['that was signed out', "now() + interval '1 hour'", "now() - interval '29 days'", 200],
    ['that expired 31 days ago', "now() - interval '31 days'", 'NULL', 401],
    ['that was signed out 31 days ago', "now() + interval '1 hour'", "now() - interval '31 days'", 401],
  ] as const;

  test.each(cases)('%s', async (_, expires, ended, status) => {
    const project = await world.project();
    const key = await session(project, { expires, ended });
    const answer = await gateway.send({ path: 'insert?eventType=level', key, body: { level: 1 } });
    expect([answer.status, answer.body.code]).toEqual([status, status === 200 ? undefined : 2004]);
    if (status !== 200) return;
    const [row] = await world.rows(project.projectId, 1);
    expect([row?.accountId, row?.keyKind]).toEqual(['u-1', 'session']);
  });

  test('returns 2004 after a ban, also if the session ended before it', async () => {
    const project = await world.project();
    const key = await session(project, { expires: "now() - interval '1 day'", ended: 'NULL', barred: true });
    const answer = await gateway.send({ path: 'insert?eventType=level', key, body: { level: 1 } });
    expect(answer.body.code).toBe(2004);
  });

  test('returns 2004 if it was an administrator', async () => {
    const project = await world.project();
    const expires = "now() - interval '1 minute'";
    const key = await session(project, { expires, ended: 'NULL', scopes: '{events:write}' });
    const answer = await gateway.send({ path: 'insert?eventType=level', key, body: { level: 1 } });
    expect(answer.body.code).toBe(2004);
  });

  test('returns 2002 after its account was erased', async () => {
    const project = await world.project();
    const key = await session(project, { expires: "now() - interval '1 minute'", ended: 'NULL' });
    await run(`DELETE FROM registry.session_keys WHERE project_id = '${project.projectId}'`);
    const answer = await gateway.send({ path: 'insert?eventType=level', key, body: { level: 1 } });
    expect(answer.body.code).toBe(2002);
  });
});

/** Like a worker; resolves with how many rows of each chunk count. */
async function seal(projectId: string, rows: number): Promise<number[]> {
  await world.rows(projectId, rows);
  const chunks = world.chunks.filter((chunk) => chunk.projectId === projectId);
  const { won } = await ledger.seal(randomUUID().replace(/^(.{14})./, '$17'), chunks);
  return won?.chunks.map((chunk) => chunk.rows) ?? [];
}

async function session(
  { projectId }: SampleProject,
  state: { expires: string; ended: string; barred?: boolean; scopes?: string },
): Promise<string> {
  const text = createApiKeyText('session', randomBytes);
  const { expires, ended, barred = false, scopes = '{}' } = state;
  await run(
    `INSERT INTO registry.session_keys (hash, session_id, account_id, project_id, scopes, expires, ended, barred)
     VALUES ('\\x${hashApiKey(text).toString('hex')}', '${randomUUID()}', 'u-1', '${projectId}', '${scopes}', ${expires},
       ${ended}, ${barred})`,
  );
  return text;
}

test('every gateway describes its installation to clients, without a key', async () => {
  const { url: address } = await world.gateway({ EVENTS_URL: 'https://events.example.com' });
  const answer = await fetch(`${address}/.well-known/tickrate`, {
    headers: { Origin: 'https://game.example' },
  });
  expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([200, '*']);
  expect(await answer.json()).toMatchObject({
    protocol: 1,
    events: 'https://events.example.com',
    sessions: null,
    limits: { keyDays: 32, pastDays: 30, endedSessionDays: 30 },
  });
});
