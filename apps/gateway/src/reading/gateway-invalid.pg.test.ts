import { once } from 'node:events';
import { connect } from 'node:net';
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { limits } from '@tickrate/contract';
import { describe, expect, test } from 'vitest';
import { type Call, createSender, startWorld } from '../testing/gateway-world.ts';

const { world } = await startWorld();
const insert = 'insert?eventType=level';
const batch = 'batchInsert?eventType=level';
const event = { level: 3, name: 'Ada' };
const gateway = await world.gateway();
const { send, refusal } = createSender(gateway);

// Invariant (Events and quarantine): Invalid input returns the catalogue's error and changes nothing
// Invariant (HTTP): Every call that takes an object rejects `null`, arrays, scalars and an empty body;
// only a sign-in may be empty
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

  test('says what to send instead', async () => {
    const { projectId, key } = await world.project();
    // A gateway of its own: one looks for the nearest name of 20 refusals a second.
    const { send } = createSender(await world.gateway());
    await world.registry.declareEventType({ projectId, name: 'level_up', declaration: { type: 'object' } });
    const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
    const lines = { 'Content-Type': 'application/x-ndjson' };
    const joined = '{"eventType":"level","event":{"level":1}}'.repeat(2);
    const cases: [Call, RegExp][] = [
      [
        { path: insert, body: event, headers: form },
        /x-www-form-urlencoded.*application\/json or application\/x-ndjson.*--data-binary/,
      ],
      [{ path: 'multiInsert', body: joined, headers: form }, /x-www-form-urlencoded.*--data-binary/],
      [
        { path: insert, body: event, headers: { 'Content-Type': 'text/html' } },
        /'text\/html' is not read here/,
      ],
      [{ path: insert, body: '{"level":1}\n{"level":2}' }, /more than one event.*--data-binary/],
      [{ path: insert, body: "{'level':1}" }, /expected a double quote, found a single quote/],
      [{ path: insert, body: '{level:1}' }, /expected a name in double quotes/],
      [{ path: batch, body: '[{"level":1},]' }, /a comma before the closing bracket/],
      [{ path: 'multiInsert', body: '[{"eventType"' }, /ends too early/],
      [{ path: insert, body: '' }, /the body is empty/],
      [{ path: 'nix', body: event }, /GET \/docs/],
      [{ path: 'insert?eventType=levelup', body: event }, /did you mean 'level_up'\?.*event-types declare/],
    ];
    for (const [call, said] of cases) {
      const { body } = await send({ key, ...call });
      expect(body.fields, JSON.stringify(call)).toMatch(said);
    }
    const unknown = await send({ path: 'multiInsert', key, body: [{ eventType: 'levelup', event: {} }] });
    expect(JSON.stringify(unknown.body)).toContain('event-types declare FILE');
    const { body } = await send({ path: 'multiInsert', key, body: joined, headers: lines });
    expect(JSON.stringify(body)).toContain('more than one event');
    const { key: other } = await world.project();
    const { send: sendElsewhere } = createSender(await world.gateway());
    const hidden = await sendElsewhere({ path: 'insert?eventType=levelup', key: other, body: event });
    expect(hidden.body.fields).toContain("did you mean 'level'");
    expect(hidden.body.fields).not.toContain('level_up');
  });

  test('that inflates beyond its limit returns 1004, in every coding', async () => {
    const { projectId, key } = await world.project();
    const codings = { gzip: gzipSync, deflate: deflateSync, br: brotliCompressSync, zstd: zstdCompressSync };
    const bomb = Buffer.alloc(32 * 1024 * 1024, '[');
    for (const [coding, compress] of Object.entries(codings)) {
      const headers = { 'Content-Encoding': coding };
      const good = compress(Buffer.from(JSON.stringify([event])));
      expect((await send({ path: batch, key, headers, body: good })).body).toBe(true);
      const body = compress(bomb);
      const refused = await refusal({ path: batch, key, headers, body });
      expect([coding, refused['code']]).toEqual([coding, 1004]);
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
  // In one piece, the longest turn would be nearly all of it.
  const totalMs = blockedMs.reduce((sum, ms) => sum + ms, 0);
  expect(blockedMs.reduce((most, ms) => Math.max(most, ms), 0)).toBeLessThan(totalMs / 3);
});
