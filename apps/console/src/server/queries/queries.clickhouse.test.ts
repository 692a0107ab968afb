import { waitUntil } from '@tickrate/testkit';
import { beforeAll, expect, test } from 'vitest';
import { type ManagedProject, startStoredWorld } from '../../testing/console-harness.ts';

const { world, clickhouse, warehouse } = await startStoredWorld();
let mine: ManagedProject;
let other: ManagedProject;

beforeAll(async () => {
  [mine, other] = [await world.project(), await world.project()];
  for (const [{ projectId }, level] of [
    [mine, 1],
    [mine, 2],
    [other, 666],
  ] as const) {
    await store({ projectId, level });
  }
});

async function store({ projectId, level }: { projectId: string; level: number }): Promise<void> {
  const row = {
    project: projectId,
    type: 'level_up',
    version: 1,
    key_kind: 'session',
    account_id: 'us-1',
    session_id: 's-1',
    event_id: crypto.randomUUID(),
    chunk_id: crypto.randomUUID(),
    received: '2026-11-02 10:00:00',
    occurred: `2026-11-02 10:0${level % 10}:00`,
    data: { level },
  };
  await clickhouse.run(`INSERT INTO events FORMAT JSONEachRow ${JSON.stringify(row)}`);
}

/** Many events of one player. */
function fill(projectId: string): Promise<void> {
  return clickhouse.run(`INSERT INTO events (project, type, version, account_id, event_id, chunk_id, received, occurred, data)
    SELECT '${projectId}', 'noise', 1, 'us-noise', generateUUIDv4(), generateUUIDv4(), toDateTime64('2026-11-01 00:00:00', 3, 'UTC'),
      toDateTime64('2026-10-15 00:00:00', 3, 'UTC') + number, CAST(concat('{"level":', toString(number % 10), '}'), 'JSON')
    FROM numbers(400000)`);
}

function query(key: string, body: object) {
  return world.send({ method: 'POST', path: '/v1/query', key, body });
}

// Invariant (Queries): The cost in an answer depends on rows of its project alone; leaving an analysis
// ends it at the server
test("a query returns the rows of its key's project", async () => {
  const sql = 'SELECT sum(data.level.:Int64) AS levels FROM events WHERE type = {type:String}';
  const asked = { sql, parameters: { type: 'level_up' } };
  expect((await query(mine.key, asked)).body.data).toEqual([{ levels: '3' }]);
  expect((await query(other.key, asked)).body.data).toEqual([{ levels: '666' }]);
  const csv = await query(mine.key, { ...asked, format: 'CSV' });
  expect([csv.headers.get('content-type'), csv.body]).toEqual([
    'text/csv; charset=utf-8; header=present',
    '"levels"\n3\n',
  ]);
});

test('a JSON answer says what the query cost, in rows of its project alone', async () => {
  const costOf = async (sql: string) => (await query(mine.key, { sql })).body.cost;
  const ms = expect.any(Number);
  expect(await costOf('SELECT count() FROM events')).toEqual({ ms, rows: 2 });
  expect(await costOf("SELECT 'events, level_up' AS text")).toEqual({ ms, rows: 0 });
  const empty = await query(mine.key, { sql: 'SELECT data FROM events WHERE 0' });
  expect(empty.body).toMatchObject({ data: [], rows: 0, cost: { ms, rows: 2 } });
});

test('the fifth query of an owner waits for a permit', async () => {
  const slow = 'SELECT sum(sipHash64(number)) AS n FROM numbers(3000000)';
  const answers = await Promise.all(Array.from({ length: 6 }, () => query(mine.key, { sql: slow })));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200]);
});

/** A client that reads bytes and can disconnect. */
function stream(body: object | string, signal?: AbortSignal): Promise<Response> {
  const headers = { 'X-API-Key': mine.key, 'Content-Type': 'application/json', Connection: 'close' };
  return fetch(`${world.url}/v1/query`, {
    method: 'POST',
    headers,
    body: typeof body === 'string' ? body : JSON.stringify(body),
    ...(signal && { signal }),
  });
}

test('a 64-bit integer parameter keeps every digit', async () => {
  const sql = 'SELECT {a:UInt64} AS a, {b:Array(Int64)} AS b';
  const body = `{"sql": "${sql}", "format": "JSONEachRow", "parameters": {"a": 76561197960287931, "b": [-76561197960287931]}}`;
  const answer = await stream(body);
  expect(await answer.text()).toBe('{"a":"76561197960287931","b":["-76561197960287931"]}\n');
});

test.each([
  ['JSON', 'application/json; charset=utf-8', '{'],
  ['JSONEachRow', 'application/x-ndjson; charset=utf-8', '{"a":1}\n'],
  ['CSV', 'text/csv; charset=utf-8; header=present', '"a"\n1\n'],
  ['Parquet', 'application/vnd.apache.parquet', 'PAR1'],
  ['Arrow', 'application/vnd.apache.arrow.file', 'ARROW1'],
])('the format %s is sent as %s', async (format, contentType, start) => {
  const answer = await stream({ sql: 'SELECT 1 AS a', format });
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, contentType]);
  const bytes = Buffer.from(await answer.arrayBuffer());
  expect(bytes.toString('latin1', 0, start.length)).toBe(start);
});

// Invariant (Queries): A cell of an exported CSV is never a formula
test('CSV has an apostrophe in front of each text that a spreadsheet would run', async () => {
  const answer = await stream({ sql: `SELECT '=1+1' AS "@a", -1 AS b, '-' AS c`, format: 'CSV' });
  expect(await answer.text()).toBe(`"'@a","b","c"\n"'=1+1",-1,"'-"\n`);
});

test.each([
  ['before it is answered', 'SELECT count() AS n FROM numbers(1900000000) WHERE sipHash64(number) = 1'],
  ['in the middle of the answer', 'SELECT number FROM numbers(9000000)'],
])('a client that disconnects %s ends its query at the server', async (_, sql) => {
  const mark = `left ${crypto.randomUUID()}`;
  const running = async () => {
    const [found] = await warehouse.query<{ n: string }>(
      'SELECT count() AS n FROM system.processes WHERE query LIKE {mark:String} AND query NOT LIKE {own:String}',
      { parameters: { mark: `%${mark}%`, own: '%system.processes%' } },
    );
    return Number(found?.n);
  };
  const leaving = new AbortController();
  const asked = stream(
    { sql: sql.replace('SELECT', `SELECT '${mark}' AS m,`), format: 'CSV' },
    leaving.signal,
  );
  // The second answer is blocked because nobody reads it, so its query is still running.
  asked.catch(() => undefined);
  await waitUntil(async () => (await running()) === 1, { what: 'the query' });
  leaving.abort();
  await waitUntil(async () => (await running()) === 0, { what: 'the end of the query' });
  await waitUntil(() => world.log().includes('"status":"aborted"'), { what: 'its line in the log' });
  expect(world.log()).not.toContain('internal fault');
});

test('a client that leaves an analysis ends its query at the server', async () => {
  // Enough events that the analysis is still running when the client leaves.
  await fill(other.projectId);
  const running = async () => {
    const [found] = await warehouse.query<{ n: string }>(
      "SELECT count() AS n FROM system.processes WHERE query LIKE '%windowFunnel%' AND query NOT LIKE '%system.processes%'",
    );
    return Number(found?.n);
  };
  const leaving = new AbortController();
  const steps = Array.from({ length: 10 }, (_, value) => ({
    type: 'noise',
    where: [{ member: 'level', is: 'greaterOrEqual', value }],
  }));
  const asked = fetch(`${world.url}/v1/analyses/funnel`, {
    method: 'POST',
    headers: { 'X-API-Key': other.key, 'Content-Type': 'application/json', Connection: 'close' },
    body: JSON.stringify({ from: '2026-09-01T00:00:00Z', to: week.to, steps, windowSeconds: 86_400 }),
    signal: leaving.signal,
  });
  asked.catch(() => undefined);
  await waitUntil(async () => (await running()) === 1, { what: 'the analysis' });
  leaving.abort();
  await waitUntil(async () => (await running()) === 0, { what: 'the end of the analysis' });
});

test('a forbidden query fails with its reason', async () => {
  const { status, body } = await query(mine.key, { sql: 'SELECT * FROM system.tables' });
  expect([status, body.code, body.data.parameterName]).toEqual([400, 1003, 'sql']);
  expect(body.data.queryFailureErrors).toEqual([
    {
      domain: 'query',
      location: 'sql',
      locationType: 'body',
      reason: 'table',
      message: 'there is no table system.tables in this project',
    },
  ]);
});

test('a key without the scope cannot query', async () => {
  const { key } = await world.project(['keys:write']);
  expect((await query(key, { sql: 'SELECT 1' })).body).toMatchObject({
    code: 2006,
    data: { parameterName: 'queries:read' },
  });
});

test('an analysis of personal data requires the scope', async () => {
  const { key, projectId } = await world.project(['queries:read']);
  const properties = { nick: { type: 'string', 'x-personal': true }, level: { type: 'integer' } };
  await world.registry.declareEventType({
    projectId,
    name: 'joined',
    declaration: { type: 'object', properties },
  });
  const refusal = { code: 2006, data: { parameterName: 'personal:read' } };
  expect((await query(key, { sql: 'SELECT 1 AS a' })).status).toBe(200);
  const ask = (name: string, body: object) =>
    world.send({ method: 'POST', path: `/v1/analyses/${name}`, key, body: { ...week, ...body } });
  expect((await ask('breakdown', { type: 'joined', member: 'nick' })).body).toMatchObject(refusal);
  expect((await ask('breakdown', { type: 'joined', member: 'level' })).status).toBe(200);
  expect((await ask('player', { accountId: 'us-1' })).body).toMatchObject(refusal);
});

const week = { from: '2026-11-02T00:00:00Z', to: '2026-11-09T00:00:00Z' };

test.each([
  ['volume', { per: 'day' }, [{ at: '2026-11-02T00:00:00Z', type: 'level_up', events: 2 }]],
  ['players', { per: 'month' }, [{ at: '2026-11-01T00:00:00Z', players: 1 }]],
  [
    'session-length',
    {},
    [{ at: '2026-11-02T00:00:00Z', sessions: 1, meanSeconds: 60, medianSeconds: 60, p90Seconds: 60 }],
  ],
  [
    'funnel',
    {
      steps: [1, 2, 3].map((value) => ({
        type: 'level_up',
        where: [{ member: 'level', is: 'equal', value }],
      })),
      windowSeconds: 600,
    },
    [
      { step: 1, players: 1 },
      { step: 2, players: 1 },
      { step: 3, players: 0 },
    ],
  ],
  ['retention', { per: 'day', periods: 1 }, [{ cohort: '2026-11-02T00:00:00Z', players: 1, returned: [0] }]],
  [
    'breakdown',
    { type: 'level_up', member: 'level', mostValues: 1 },
    [{ value: '1', events: 1, players: 1 }],
  ],
  ['player', { accountId: 'us-1', mostEvents: 1 }, [expect.objectContaining({ event: { level: 2 } })]],
])('the analysis %s returns its results', async (name, body, results) => {
  const answer = await world.send({
    method: 'POST',
    path: `/v1/analyses/${name}`,
    key: mine.key,
    body: { ...week, ...body },
  });
  expect(answer.body).toEqual({ results, cost: { ms: expect.any(Number), rows: 2 } });
});

test('a range that ends before it starts is rejected', async () => {
  const body = { from: week.to, to: week.from, per: 'day' };
  const answer = await world.send({ method: 'POST', path: '/v1/analyses/volume', key: mine.key, body });
  expect(answer.body).toMatchObject({ code: 1003, data: { parameterName: 'to' } });
});

test('a saved query belongs to its project, and an edit requires its latest version', async () => {
  const path = '/v1/saved-queries';
  const content = { sql: 'SELECT 1 AS a' };
  const send = (method: string, at: string, body?: object, key = mine.key) =>
    world.send({ method, path: at, key, ...(body && { body }) });
  const { body: made } = await send('POST', path, { name: 'One', content });
  expect((await send('GET', path)).body).toEqual({ results: [made], next: null });
  expect((await send('GET', path, undefined, other.key)).body.results).toEqual([]);
  const one = `${path}/${made.id}`;
  const edit = { version: made.version, name: 'Two' };
  expect((await send('PATCH', one, edit, other.key)).body.code).toBe(3001);
  expect((await send('PATCH', `/v1/dashboards/${made.id}`, edit)).body.code).toBe(3001);
  expect((await send('PATCH', one, edit)).body).toMatchObject({ name: 'Two', content });
  expect((await send('PATCH', one, edit)).body.code).toBe(3004);
  expect((await send('DELETE', one)).body.name).toBe('Two');
  expect((await send('DELETE', one)).body.code).toBe(3001);
});

test('a dashboard contains only what the console can show', async () => {
  const tile = { title: 'Fights', chart: 'bar', columns: 6, analysis: { name: 'volume', parameters: {} } };
  const save = (tiles: object[]) =>
    world.send({
      method: 'POST',
      path: '/v1/dashboards',
      key: mine.key,
      body: { name: 'Overview', content: { tiles } },
    });
  expect((await save([tile])).body.content).toEqual({ tiles: [tile] });
  expect((await save([{ ...tile, chart: 'pie in the sky' }])).body.code).toBe(1003);
});
