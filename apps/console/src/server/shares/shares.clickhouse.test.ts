import { expect, test } from 'vitest';
import { type ManagedProject, startStoredWorld } from '../../testing/console-harness.ts';

const { world, clickhouse } = await startStoredWorld();

async function store(projectId: string, events: readonly object[]): Promise<void> {
  const at = new Date(Date.now() - 60_000).toISOString();
  const common = { project: projectId, type: 'level_up', version: 1, account_id: 'u-7', key_kind: 'session' };
  const lines = events.map((data) => {
    const ids = { event_id: crypto.randomUUID(), chunk_id: crypto.randomUUID(), received: at, occurred: at };
    return JSON.stringify({ ...common, ...ids, data });
  });
  await clickhouse.run(
    `INSERT INTO events SETTINGS date_time_input_format = 'best_effort' FORMAT JSONEachRow ${lines.join('\n')}`,
  );
}

async function share({ key }: ManagedProject, content: object, body: object = { days: 30 }) {
  const made = await world.send({
    method: 'POST',
    path: '/v1/dashboards',
    key,
    body: { name: 'Levels', content },
  });
  expect(made.status).toBe(200);
  const path = `/v1/dashboards/${made.body.id}/shares`;
  const { body: answer } = await world.send({ method: 'POST', path, key, body });
  return { dashboardId: made.body.id, token: answer.token, id: answer.share?.id, answer };
}

const read = (token: string) => world.send({ method: 'POST', path: '/v1/shared', body: { token } });
const readTile = (token: string, tile: number, more: object = {}) =>
  world.send({ method: 'POST', path: `/v1/shared/tiles/${tile}`, body: { token, ...more } });

const volume = { name: 'volume', parameters: { per: 'day' } };
const tile = (more: object) => ({
  title: 'A',
  chart: 'bar',
  position: { x: 0, y: 0, width: 6, height: 4 },
  ...more,
});

// Invariant (Queries): A link to a dashboard shows its tiles without personal data and nothing else, and
// ends when it is revoked or expires
// Invariant (Queries): A shared link needs no session, and its answers contain no account and no session
// of a player
test('a link shows a dashboard and the data of its tiles, with its range and variables, and nothing else', async () => {
  const mine = await world.project();
  const level = { type: 'integer' };
  await world.registry.declareEventType({
    projectId: mine.projectId,
    name: 'level_up',
    declaration: { type: 'object', properties: { level, nick: { type: 'string', 'x-personal': true } } },
  });
  await store(mine.projectId, [
    { level: 1, nick: 'Bo' },
    { level: 2, nick: 'Bo' },
    { level: 2, nick: 'Ada' },
  ]);
  const where = [{ member: 'level', is: 'equal', value: '{{level}}' }];
  const saved = await world.send({
    method: 'POST',
    path: '/v1/saved-queries',
    key: mine.key,
    body: {
      name: 'Levels',
      content: { sql: "SELECT count() AS n FROM events WHERE received >= {from:DateTime('UTC')}" },
    },
  });
  const content = {
    tiles: [
      tile({ analysis: volume }),
      tile({ analysis: { name: 'volume', parameters: { per: 'day', where } } }),
      tile({ savedQueryId: saved.body.id }),
      tile({ analysis: { name: 'breakdown', parameters: { type: 'level_up', member: 'nick' } } }),
      tile({ query: { sql: 'SELECT account_id, data FROM events' } }),
      tile({ analysis: { name: 'player', parameters: { accountId: 'u-7' } } }),
      tile({}),
      tile({ analysis: { name: 'volume', parameters: { per: 'fortnight' } } }),
    ],
    range: { lastSeconds: 3_600 },
    variables: [{ name: 'level', value: '' }],
  };
  const { token, answer } = await share(mine, content);
  const shown = (await read(token)).body;
  expect(shown).toMatchObject({ name: 'Levels', expires: answer.share.expires });
  // What a link does not show can name a player.
  const { tiles, ...rest } = content;
  const statement = { query: { sql: '-- A link does not show statements.' } };
  const noPlayer = { analysis: { name: 'player', parameters: {} } };
  expect(shown.content).toEqual({ ...rest, tiles: tiles.with(4, tile(statement)).with(5, tile(noPlayer)) });
  const events = async (n: number, more: object = {}) =>
    (await readTile(token, n, more)).body.results?.[0]?.events ?? 0;
  expect(await events(0)).toBe(3);
  expect(await events(0, { range: { from: '2020-01-01T00:00:00Z', to: '2020-01-02T00:00:00Z' } })).toBe(0);
  expect([await events(1), await events(1, { variables: { level: '2' } })]).toEqual([3, 2]);
  expect((await readTile(token, 1, { variables: { other: '2' } })).body.data.parameterName).toBe('variables');
  expect((await readTile(token, 2)).body.data).toEqual([{ n: '3' }]);
  expect((await readTile(token, 3)).body.code).toBe(2006);
  const rows = await readTile(token, 4);
  expect(rows.body).toMatchObject({ code: 1003, data: { parameterName: 'tile' } });
  expect(JSON.stringify(rows.body)).not.toMatch(/account_id|u-7|Bo|Ada/);
  expect((await readTile(token, 5)).body.code).toBe(1003);
  for (const n of [6, 8]) expect((await readTile(token, n)).body.code).toBe(3001);
  expect((await readTile(token, 7)).body.code).toBe(1003);
});

test('a link is no key, and ends when it is revoked, when it expires, and with its dashboard', async () => {
  const mine = await world.project();
  const other = await world.project();
  const content = { tiles: [tile({ analysis: volume })] };
  const [revoked, deleted] = [await share(mine, content), await share(mine, content)];
  expect((await world.send({ path: '/v1/dashboards', key: revoked.token })).body.code).toBe(2002);
  expect((await read('guessed')).body.code).toBe(4002);
  const listed = await world.send({ path: '/v1/shares?limit=1', key: mine.key });
  expect(listed.body.results.map(({ id }: { id: string }) => id)).toEqual([deleted.id]);
  expect(listed.body.next).not.toBeNull();
  expect(JSON.stringify(listed.body)).not.toContain(deleted.token);
  const path = `/v1/shares/${revoked.id}`;
  expect((await world.send({ method: 'DELETE', path, key: other.key })).body.code).toBe(3001);
  expect((await read(revoked.token)).status).toBe(200);
  expect((await world.send({ method: 'DELETE', path, key: mine.key })).status).toBe(200);
  expect((await read(revoked.token)).body.code).toBe(4002);
  expect((await readTile(revoked.token, 0)).body.code).toBe(4002);
  await world.send({ method: 'DELETE', path: `/v1/dashboards/${deleted.dashboardId}`, key: mine.key });
  expect((await read(deleted.token)).body.code).toBe(4002);
  const request = { projectId: mine.projectId, createdBy: 'test', keyId: null, expiresMs: Date.now() - 1 };
  const { dashboardId } = await share(mine, content);
  const { token } = await world.registry.createShare({ ...request, dashboardId });
  expect((await read(token)).body.code).toBe(4002);
  for (const days of [0, 400]) {
    expect((await share(mine, content, { days })).answer.data.parameterName).toBe('days');
  }
  expect((await share(other, content)).answer.share.dashboardId).not.toBe(dashboardId);
  const foreign = `/v1/dashboards/${dashboardId}/shares`;
  expect(
    (await world.send({ method: 'POST', path: foreign, key: other.key, body: { days: 1 } })).body.code,
  ).toBe(3001);
});

test('a link ends with the key that made it, and needs a key without an end or origins', async () => {
  const owner = await world.project();
  const keyed = async (key: string, more: object = {}) => {
    const body = { kind: 'administrative', scopes: ['queries:write', 'keys:write'], ...more };
    const made = await world.send({ method: 'POST', path: '/v1/keys', key, body });
    expect(made.status).toBe(200);
    return { projectId: owner.projectId, key: made.body.text as string, keyId: made.body.key.id as string };
  };
  const content = { tiles: [] };
  const send = (method: 'POST' | 'PATCH' | 'DELETE', path: string, body?: object) =>
    world.send({ method, path, key: owner.key, ...(body !== undefined && { body }) });
  const statusOf = async (token: string) => (await read(token)).status;

  const bound = await keyed(owner.key, { origins: ['https://a.example'] });
  const brief = await keyed(owner.key, { expires: new Date(Date.now() + 60_000).toISOString() });
  expect((await share(brief, content)).answer).toMatchObject({ data: { parameterName: 'days' } });
  const made = await world.send({
    method: 'POST',
    path: `/v1/dashboards/${(await share(owner, content)).dashboardId}/shares`,
    key: bound.key,
    headers: { Origin: 'https://a.example' },
    body: { days: 1 },
  });
  expect(made.body.code).toBe(2005);

  const [parent, other] = [await keyed(owner.key), await keyed(owner.key)];
  const child = await keyed(parent.key);
  const tokens = [(await share(parent, content)).token, (await share(child, content)).token];
  const kept = (await share(other, content)).token;
  expect(await Promise.all(tokens.map(statusOf))).toEqual([200, 200]);
  expect((await send('DELETE', `/v1/keys/${parent.keyId}`)).status).toBe(200);
  expect(await Promise.all([...tokens, kept].map(statusOf))).toEqual([401, 401, 200]);

  const rotated = await send('POST', `/v1/keys/${other.keyId}/rotate`, { overlapSeconds: 3600 });
  expect(rotated.status).toBe(200);
  expect(await statusOf(kept)).toBe(200);
  const { id: heirId, version } = rotated.body.key;
  const reduced = await send('PATCH', `/v1/keys/${heirId}`, { version, scopes: ['queries:read'] });
  expect(reduced.status).toBe(200);
  expect(await statusOf(kept)).toBe(401);
  const restored = { version: reduced.body.version, scopes: ['queries:write'] };
  expect((await send('PATCH', `/v1/keys/${heirId}`, restored)).status).toBe(200);
  expect(await statusOf(kept)).toBe(200);
  expect((await send('POST', `/v1/keys/${heirId}/rotate`, { overlapSeconds: 0 })).status).toBe(200);
  expect(await statusOf(kept)).toBe(401);
  const listed = await world.send({ path: '/v1/shares', key: owner.key });
  const makers = listed.body.results.map(({ createdBy }: { createdBy: string }) => createdBy);
  expect(makers).toEqual([`key ${owner.keyId}`]);
});

test('a link has a rate of its own', async () => {
  const mine = await world.project();
  const { token } = await share(mine, { tiles: [] });
  const answers = await Promise.all(Array.from({ length: 80 }, () => read(token)));
  const refused = answers.filter(({ status }) => status === 429);
  expect(refused.length).toBeGreaterThan(5);
  expect(refused[0]?.headers.get('retry-after')).toBe('1');
});
