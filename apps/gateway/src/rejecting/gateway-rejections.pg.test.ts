import { createQuarantine } from '@tickrate/pipeline';
import { createTcpProxy, waitUntil } from '@tickrate/testkit';
import { afterAll, expect, test } from 'vitest';
import { startWorld } from '../testing/gateway-world.ts';

const { world, url } = await startWorld();
const quarantine = createQuarantine({ postgresUrl: url });

const gateway = await world.gateway();
afterAll(() => quarantine.close());

async function kept(projectId: string, count: number) {
  const found = await waitUntil(
    async () => {
      const entries = await Array.fromAsync(quarantine.export(projectId));
      return entries.length >= count ? entries : null;
    },
    { what: `${count} rejected events` },
  );
  return (found ?? []).filter((entry) => entry.kind === 'rejected').toReversed();
}

// Invariant (Events and quarantine): A rejected event is counted once and kept within limits, without
// delaying the answer
test('every kind of call keeps its rejected events, as sent and with their sender', async () => {
  const { projectId, key } = await world.project();
  const headers = { 'X-Tickrate-SDK': 'unity/1.2', 'X-Client-Time': String(Date.now() - 60_000) };
  const single = await gateway.send({ path: 'insert?eventType=level', key, headers, body: '{"level": -1}' });
  expect(single.status).toBe(422);
  await gateway.send({ path: 'insert?eventType=level&eventTypeVersion=1', key, body: '{"level":' });
  await gateway.send({ path: 'batchInsert?eventType=level', key, body: [{ level: 1 }, { nam: 'x' }] });
  const partial = 'batchInsert?eventType=level&partial=true';
  await gateway.send({ path: partial, key, body: [{ level: 1 }, { level: 'high' }] });
  expect(await kept(projectId, 4)).toMatchObject([
    {
      text: '{"level": -1}',
      type: 'level',
      version: 1,
      versionNamed: false,
      reason: 'range',
      pointer: '/level',
      form: 'event',
      keyKind: 'public',
      keyId: expect.stringMatching(/./),
      sdkName: 'unity',
      sdkVersion: '1.2',
      requestId: single.headers['x-request-id'],
    },
    { text: '{"level":', versionNamed: true, reason: 'malformedJson', form: 'body' },
    { text: '{"nam":"x"}', reason: 'missing', pointer: '/level' },
    { text: '{"level":"high"}', reason: 'typeMismatch', pointer: '/level' },
  ]);
  const [first] = await kept(projectId, 4);
  expect(Math.round((first?.skewMs ?? 0) / 1_000)).toBe(60);
});

test('a multiInsert keeps events of unknown types, and elements that are not events', async () => {
  const { projectId, key } = await world.project();
  const eventId = '0199aaaa-bbbb-7ccc-8ddd-eeeeffff0000';
  const occurredAt = '2026-11-20T12:00:00Z';
  const body = [
    { eventType: 'level', eventId, occurredAt, event: { level: -3 } },
    { eventType: 'boss', event: { level: 1 } },
    { eventType: 'level', eventTypeVersion: 7, event: { level: 1 } },
    { eventType: 'level', event: 5 },
  ];
  for (const path of ['multiInsert', 'multiInsert?atomic=true']) await gateway.send({ path, key, body });
  const entries = await kept(projectId, 8);
  expect(entries.slice(0, 4)).toMatchObject([
    { text: '{"level":-3}', reason: 'range', pointer: '/level', eventId, occurredMs: Date.parse(occurredAt) },
    { type: 'boss', text: '{"level":1}', reason: 'eventTypeNotFound', pointer: '' },
    { type: 'level', version: 7, versionNamed: true, reason: 'eventTypeVersionNotFound' },
    { type: null, text: '{"eventType":"level","event":5}', form: 'element', pointer: '/event' },
  ]);
  expect(entries.slice(4).map(({ text }) => text)).toEqual(entries.slice(0, 4).map(({ text }) => text));
});

test('events of an unknown type or version are kept one by one, and counted also if they cannot be separated', async () => {
  const { projectId, key } = await world.project();
  const send = async (path: string, body: unknown) => (await gateway.send({ path, key, body })).status;
  expect(await send('insert?eventType=boss', ' {"level":1} ')).toBe(404);
  expect(await send('batchInsert?eventType=level&eventTypeVersion=7', [{ level: 1 }, { level: 2 }])).toBe(
    404,
  );
  expect(await send('batchInsert?eventType=boss&partial=true', '[{"level":1},{"level')).toBe(404);
  expect(await send('insert?eventType=%00', { level: 3 })).toBe(404);
  const entries = await kept(projectId, 5);
  expect(entries.map(({ type, version, text, reason, form }) => [type, version, text, reason, form])).toEqual(
    [
      ['boss', null, '{"level":1}', 'eventTypeNotFound', 'event'],
      ['level', 7, '{"level":1}', 'eventTypeVersionNotFound', 'event'],
      ['level', 7, '{"level":2}', 'eventTypeVersionNotFound', 'event'],
      ['boss', null, '[{"level":1},{"level', 'eventTypeNotFound', 'body'],
      [null, null, '{"level":3}', 'eventTypeNotFound', 'event'],
    ],
  );
  const counts = await quarantine.count(projectId);
  expect(counts.reduce((sum, { events }) => sum + events, 0)).toBe(5);
});

test('a body in which no event can be found is counted for every call', async () => {
  const { projectId, key } = await world.project();
  const send = async (path: string, body: unknown) => (await gateway.send({ path, key, body })).status;
  expect(await send('multiInsert', '[{"eventType":"level"')).toBe(400);
  expect(await send('multiInsert', '{"eventType":"level"}')).toBe(400);
  const notUtf8 = Buffer.from('[{"level":1,"name":"\xff"}]', 'latin1');
  for (const path of ['batchInsert?eventType=level', 'batchInsert?eventType=level&partial=true'])
    expect(await send(path, notUtf8)).toBe(400);
  const entries = await kept(projectId, 4);
  expect(entries.map(({ type, reason, form }) => [type, reason, form])).toEqual([
    [null, 'malformedJson', 'body'],
    [null, 'bodyTypeInvalid', 'body'],
    ['level', 'malformedJson', 'body'],
    ['level', 'malformedJson', 'body'],
  ]);
});

test('lines of NDJSON are kept as they are in the body', async () => {
  const { projectId, key } = await world.project();
  const headers = { 'content-type': 'application/x-ndjson' };
  const lines = ['{"eventType":"level","event":{"level":1}}', '{"eventType":"level",', '{"event":{}}', 'x'];
  await gateway.send({ path: 'multiInsert', key, headers, body: lines.join('\n') });
  const entries = await kept(projectId, 3);
  expect(entries.map(({ text, reason }) => [text, reason])).toEqual([
    [lines[1], 'format'],
    [lines[2], 'missing'],
    [lines[3], 'format'],
  ]);
});

test('all events of a flood are counted and few are kept; only the beginning of a large one is kept', async () => {
  const { projectId, key } = await world.project();
  const flood = Array.from({ length: 3_000 }, () => ({ level: -1 }));
  await gateway.send({ path: 'batchInsert?eventType=level&partial=true', key, body: flood });
  await gateway.send({ path: 'insert?eventType=level', key, body: { level: 1, name: 'x'.repeat(70_000) } });
  const entries = await kept(projectId, 21);
  expect(entries.filter(({ reason }) => reason === 'range').length).toBeLessThan(30);
  expect(entries.find(({ reason }) => reason === 'tooLong')).toMatchObject({
    truncated: true,
    bytes: 70_021,
  });
  expect(await quarantine.count(projectId)).toMatchObject([
    { reason: 'range', events: 3_000 },
    { reason: 'tooLong', events: 1, kept: 1 },
  ]);
});

test('invented names share one sample rate, and are counted', async () => {
  const { projectId, key } = await world.project();
  const body = Array.from({ length: 190 }, (_, n) => ({ eventType: `made_up_${n}`, event: {} }));
  await gateway.send({ path: 'multiInsert', key, body });
  expect((await kept(projectId, 20)).length).toBeLessThan(30);
  const counts = await quarantine.count(projectId);
  expect(counts.reduce((sum, { events }) => sum + events, 0)).toBe(190);
});

test('while Postgres is away rejections are answered at once, and counted when it is back', async () => {
  const { projectId, key } = await world.project();
  const network = await createTcpProxy(url);
  const cut = await world.gateway({ POSTGRES_URL: network.url });
  const bad = () => cut.send({ path: 'insert?eventType=level', key, body: { level: -1 } });
  expect((await bad()).status).toBe(422);
  await kept(projectId, 1);
  network.refuse();
  network.cut();
  for (let n = 0; n < 5; n += 1) expect((await bad()).status).toBe(422);
  network.open();
  const counted = async () => (await quarantine.count(projectId))[0]?.events;
  await waitUntil(async () => (await counted()) === 6, { timeoutMs: 15_000, what: 'the counts' });
  await cut.stop();
  await network.close();
});
