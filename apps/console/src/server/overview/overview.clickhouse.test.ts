import { inRealm, writeAudit } from '@tickrate/accounts';
import { createFleet, createQuarantine, createUsage } from '@tickrate/pipeline';
import { createTcpProxy, waitUntil } from '@tickrate/testkit';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { createAdministrator } from '../../testing/administrator-harness.ts';
import { createConsoleWorld, startStoredWorld } from '../../testing/console-harness.ts';

const { world, postgresUrl, clickhouse } = await startStoredWorld();
const fleet = createFleet({ postgresUrl });
const quarantine = createQuarantine({ postgresUrl });
const usage = createUsage({ postgresUrl });
let flushes = 0;

afterAll(() => Promise.all([fleet.close(), quarantine.close(), usage.close()]));

async function store(
  projectId: string,
  type: string,
  events: number,
  { account = '', daysAgo = 0 } = {},
): Promise<void> {
  await clickhouse.run(`INSERT INTO events (project, type, version, event_id, chunk_id, received, occurred, account_id, key_kind, data)
    SELECT '${projectId}', '${type}', 1, generateUUIDv4(), generateUUIDv4(), now64(3), now64(3) - INTERVAL ${daysAgo} DAY,
      '${account}' || if('${account}' = '', '', toString(number % 2)), 'public', '{"n":1}' FROM numbers(${events})`);
}

async function reject(projectId: string, type: string, events: number, atMs = Date.now()): Promise<void> {
  const count = { projectId, type, version: 1, reason: 'range', events, firstMs: atMs, lastMs: atMs };
  await quarantine.keepRejections({ producer: 'gateway-1', number: ++flushes, counts: [count], samples: [] });
}

// Invariant (Management): The overview shows only figures of its project, and nothing personal
test('one call shows a project at a glance, without anything of another project', async () => {
  const { projectId, key } = await world.project();
  const other = await world.project();
  for (const [n, type] of ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j'].entries()) {
    await store(projectId, type, 20 - n, { account: n < 2 ? 'u-' : '' });
  }
  // Imported now: they are in the past.
  await store(projectId, 'a', 1_000, { account: 'u-', daysAgo: 3 });
  await store(other.projectId, 'theirs', 7, { account: 'u-' });
  await reject(projectId, 'a', 3);
  await reject(projectId, 'a', 2);
  await reject(projectId, 'b', 9, Date.now() - 7_200_000);
  await reject(other.projectId, 'theirs', 40);
  const actor = { projectId, sessionId: null, requestId: '', clientAddress: '' };
  const refused = { actor, act: 'signInRefused', accountId: null } as const;
  const idsAndClock = { newId: () => crypto.randomUUID(), now: Date.now };
  await writeAudit(idsAndClock, inRealm(world.accounts, projectId), refused);

  const { status, body } = await world.send({ path: '/v1/overview', key });
  expect(status).toBe(200);
  expect(
    body.activity.types.map(({ type, events }: { type: string; events: number }) => [type, events]),
  ).toEqual([...['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map((type, n) => [type, 20 - n]), [null, 12 + 11]]);
  for (const { events, perBucket } of body.activity.types) {
    expect(perBucket).toHaveLength(61);
    expect(perBucket.reduce((sum: number, each: number) => sum + each, 0)).toBe(events);
  }
  expect(body.activity.players).toBe(2);
  expect(body.signIns).toEqual({ completed: 0, refused: 1 });
  expect(body.rejections).toEqual({ events: 5, share: 5 / (155 + 5) });
  expect(
    body.attention.map(({ count, target }: { count: number; target: object }) => [count, target]),
  ).toEqual([
    [9, { page: 'quarantine', kind: 'rejected', type: 'b', reason: 'range' }],
    [5, { page: 'quarantine', kind: 'rejected', type: 'a', reason: 'range' }],
  ]);
  expect(JSON.stringify(body)).not.toMatch(/theirs|"u-/);

  const day = (await world.send({ path: '/v1/overview?hours=24', key })).body;
  expect(day.activity.bucketSeconds).toBe(600);
  expect(day.activity.types[0].perBucket).toHaveLength(145);
  expect(day.activity.types[0].events).toBe(20);
  const arrived = (await world.send({ path: '/v1/overview?hours=24&by=received', key })).body;
  expect(arrived.activity.types[0].events).toBe(1_020);
  expect(day.rejections).toEqual({ events: 14, share: 14 / (155 + 14) });
  expect((await world.send({ path: '/v1/overview?hours=25', key })).status).toBe(400);
});

test('a project without events is read anew, so that its first event is noticed', async () => {
  const { projectId, key } = await world.project();
  const rejections = async () => (await world.send({ path: '/v1/overview', key })).body.rejections.events;
  expect(await rejections()).toBe(0);
  await reject(projectId, 'a', 3);
  await waitUntil(async () => (await rejections()) === 3, { what: 'the rejected events' });
});

test('what was mended is no longer shown, also where counting the events takes long', async () => {
  const proxy = await createTcpProxy(clickhouse.url);
  const elsewhere = await createConsoleWorld({ postgresUrl, values: { clickhouseUrl: proxy.url } });
  onTestFinished(async () => {
    await elsewhere.close();
    await proxy.close();
  });
  const { projectId, key } = await elsewhere.project();
  await usage.reportAccepted('gateway-1', new Map([[projectId, 3]]));
  await world.registry.declareEventType({ projectId, name: 'kill', declaration: { type: 'object' } });
  const fault = "INSERT INTO registry.view_faults (project_id, name, reason) VALUES ($1, 'kill', 'too long')";
  await world.accounts.query(fault, [projectId]);
  const isShown = async () => {
    const { attention } = (await elsewhere.send({ path: '/v1/overview', key })).body;
    return attention.some(({ kind }: { kind: string }) => kind === 'viewFault');
  };
  proxy.delay(300);
  expect(await isShown()).toBe(true);
  await world.accounts.query('DELETE FROM registry.view_faults WHERE project_id = $1', [projectId]);
  await waitUntil(async () => !(await isShown()), { what: 'the overview without the fault' });
});

test('a viewer may read it, and a key without the scope may not', async () => {
  const { projectId } = await world.project();
  const viewer = await createAdministrator(world.accounts, { [projectId]: 'viewer' });
  expect((await world.send({ path: '/v1/overview', key: viewer.key })).status).toBe(200);
  const { key } = await world.project(['keys:read']);
  expect((await world.send({ path: '/v1/overview', key })).body.code).toBe(2006);
});

test('rejected events are counted over time, also those that were purged', async () => {
  const { projectId, key } = await world.project();
  const noon = Date.UTC(2026, 0, 15, 12);
  await reject(projectId, 'a', 3, noon + 60_000);
  await reject(projectId, 'a', 4, noon + 540_000);
  await reject(projectId, 'a', 5, noon + 660_000);
  await reject(projectId, 'b', 6, noon + 3_600_000);
  await world.send({ method: 'POST', path: '/v1/quarantine/purge', key, body: {} });
  const ask = async (query: string) => {
    const { body } = await world.send({ path: `/v1/quarantine/history?${query}`, key });
    return body.results?.map((row: { at: string; type: string; events: number }) => [
      row.at.slice(11, 16),
      row.type,
      row.events,
    ]);
  };
  const day = 'from=2026-01-15T00:00:00Z&to=2026-01-16T00:00:00Z';
  expect(await ask(`${day}&per=10minutes`)).toEqual([
    ['12:00', 'a', 7],
    ['12:10', 'a', 5],
    ['13:00', 'b', 6],
  ]);
  expect(await ask(`${day}&per=day&type=a`)).toEqual([['00:00', 'a', 12]]);
  expect(await ask('from=2026-01-15T12:10:00Z&to=2026-01-15T13:00:00Z&per=10minutes')).toEqual([
    ['12:10', 'a', 5],
  ]);
  for (const to of ['2026-01-15T00:00:00Z', '2026-02-15T12:00:00Z']) {
    const { body } = await world.send({
      path: `/v1/quarantine/history?from=2026-01-15T00:00:00Z&to=${to}`,
      key,
    });
    expect(body.data.parameterName).toBe('to');
  }
});

test('the history of the installation is for its owner alone, and has one sample a minute', async () => {
  const { projectId, key } = await world.project();
  const owner = await createAdministrator(world.accounts, { [projectId]: 'owner' });
  await world.accounts.query('UPDATE auth.accounts SET owns_installation = true WHERE id = $1', [
    owner.accountId,
  ]);
  const path = '/v1/pipeline/history?hours=1';
  expect((await world.send({ path, key })).body.installation).toBeNull();
  const { body } = await world.send({ path, key: owner.key });
  expect(body.installation).toMatchObject([
    { inserts: { inserts: 0 }, warehouse: { parts: expect.any(Number) } },
  ]);
  const atMs = Date.parse(body.installation[0].at);
  expect(await fleet.keepSample({ atMs: atMs + 1_000, sample: {} })).toBe(false);
  // A sample that this version cannot show is left out, and one of yesterday is forgotten.
  expect(await fleet.keepSample({ atMs: atMs - 120_000, sample: { queue: 'x' } })).toBe(true);
  expect((await world.send({ path, key: owner.key })).body.installation).toHaveLength(1);
  await fleet.keepSample({ atMs: atMs + 25 * 3_600_000, sample: {} });
  expect((await fleet.samples(0)).map((each) => each.atMs)).not.toContain(atMs);
});
