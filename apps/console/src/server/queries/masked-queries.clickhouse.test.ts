import { compileDeclaration } from '@tickrate/events';
import { beforeAll, expect, test } from 'vitest';
import { type ManagedProject, startStoredWorld } from '../../testing/console-harness.ts';

const { world, clickhouse, warehouse } = await startStoredWorld();
let mine: ManagedProject;
let viewer: string;

const declaration = {
  type: 'object',
  properties: {
    level: { type: 'integer' },
    nick: { type: 'string', 'x-personal': true },
    home: {
      type: 'object',
      properties: { city: { type: 'string', 'x-personal': true }, zone: { type: 'integer' } },
    },
    friends: {
      type: 'array',
      items: { type: 'object', properties: { name: { type: 'string', 'x-personal': true } } },
    },
  },
};
const secrets = ['us-secret', 's-secret', '203.0.113.0', 'Secretnick', 'Secretville', 'Secretfriend'];

beforeAll(async () => {
  mine = await world.project();
  const { projectId } = mine;
  await world.registry.declareEventType({ projectId, name: 'match.won', declaration });
  const made = await world.registry.createKey({
    projectId,
    kind: 'administrative',
    comment: 'tests',
    createdBy: 'test',
    scopes: ['queries:read'],
  });
  viewer = made.text;
  const compiled = compileDeclaration(declaration);
  if (!compiled.ok) throw new Error('the declaration is not valid');
  const { columns } = compiled.declaration;
  const versions = [{ version: 1, columns }];
  await warehouse.applyTypedView({ projectId, typeName: 'match.won', description: null, versions });
  await store(projectId);
});

async function store(project: string): Promise<void> {
  const row = {
    project,
    type: 'match.won',
    version: 1,
    key_kind: 'session',
    account_id: 'us-secret',
    session_id: 's-secret',
    client_address: '203.0.113.0',
    event_id: crypto.randomUUID(),
    chunk_id: crypto.randomUUID(),
    received: '2026-11-02 10:00:00',
    occurred: '2026-11-02 10:00:00',
    data: {
      level: 7,
      nick: 'Secretnick',
      home: { city: 'Secretville', zone: 3 },
      friends: [{ name: 'Secretfriend' }],
    },
  };
  await clickhouse.run(`INSERT INTO events FORMAT JSONEachRow ${JSON.stringify(row)}`);
}

function query(key: string, sql: string) {
  return world.send({ method: 'POST', path: '/v1/query', key, body: { sql } });
}

const typed = () => `${mine.projectId.replace('p-', 'project_p_')}.\`match.won\``;

// Invariant (Queries): Without `personal:read`, SQL and reading calls return no personal data, and no
// analysis filters, splits or counts by it
test('a query without personal:read returns everything except accounts and personal data', async () => {
  const { body } = await query(viewer, `SELECT * FROM ${typed()}`);
  expect(body.data).toEqual([
    {
      event_id: expect.any(String),
      occurred: '2026-11-02 10:00:00.000',
      received: '2026-11-02 10:00:00.000',
      client_time: null,
      version: 1,
      key_kind: 'session',
      sdk_name: '',
      sdk_version: '',
      level: '7',
      'home.zone': '3',
    },
  ]);
  const events = await query(viewer, 'SELECT * FROM events');
  expect(Object.keys(events.body.data[0])).toEqual([
    'type',
    'event_id',
    'occurred',
    'received',
    'client_time',
    'version',
    'key_kind',
    'sdk_name',
    'sdk_version',
  ]);
});

test('the same queries with personal:read return everything', async () => {
  const { body } = await query(mine.key, `SELECT * FROM ${typed()}`);
  const text = JSON.stringify(body.data);
  // An event that was stored without the gateway has no list of the declared type.
  const missing = secrets.filter((secret) => !text.includes(secret));
  expect(missing).toEqual(['Secretfriend']);
  const events = await query(mine.key, 'SELECT account_id, data FROM events');
  expect(events.body.data[0]).toMatchObject({ account_id: 'us-secret', data: { nick: 'Secretnick' } });
});

test('a query can select existing columns by COLUMNS, with the scope and without', async () => {
  const sql = "SELECT type, COLUMNS('^(account_id|data)$') FROM events";
  expect((await query(viewer, sql)).body.data).toEqual([{ type: 'match.won' }]);
  expect(Object.keys((await query(mine.key, sql)).body.data[0])).toEqual(['type', 'account_id', 'data']);
});

const attempts = [
  'SELECT account_id FROM T',
  'SELECT session_id FROM T',
  'SELECT client_address FROM T',
  'SELECT nick FROM T',
  'SELECT t.nick FROM T AS t',
  'SELECT `home.city` FROM T',
  'SELECT friends FROM T',
  "SELECT COLUMNS('nick|account|session|address|city|friends') FROM T",
  'SELECT * EXCEPT level FROM T',
  'SELECT * REPLACE (account_id AS level) FROM T',
  'SELECT * APPLY toString FROM T',
  "SELECT COLUMNS('.*') APPLY(x -> toString(x)) FROM T",
  'SELECT data FROM T',
  'SELECT data FROM events',
  'SELECT data.nick FROM events',
  'SELECT data.^home FROM events',
  'SELECT toJSONString(data) FROM events',
  'SELECT tupleToNameValuePairs(tuple(*)) FROM T',
  'SELECT tuple(*) FROM events',
  'SELECT a.account_id FROM events AS a INNER JOIN T AS b USING (account_id)',
  'SELECT count() FROM events AS a INNER JOIN events AS b USING (account_id)',
  "SELECT count() FROM T WHERE account_id = 'us-secret'",
  "SELECT count() FROM T WHERE nick LIKE 'Secret%'",
  'SELECT _part, _table FROM T',
  'SELECT count() FROM T GROUP BY account_id',
  'SELECT level FROM T ORDER BY nick',
  'SELECT account_id FROM OWN.events',
  'SELECT account_id FROM OWN._events',
  'SELECT * FROM WHOLE._events',
  "WITH 'x' AS account_id SELECT account_id FROM T",
  'SELECT x FROM (SELECT * FROM T) ARRAY JOIN friends AS x',
];

test.each(attempts)('%s returns no personal data', async (sql) => {
  const whole = mine.projectId.replace('p-', 'project_p_');
  const asked = sql
    .replaceAll(/\bT\b/g, typed())
    .replace('OWN', whole.replace('project_', 'masked_'))
    .replace('WHOLE', whole);
  const text = JSON.stringify((await query(viewer, asked)).body);
  expect(secrets.filter((secret) => text.includes(secret) && !sql.includes(secret))).toEqual([]);
  expect(text).not.toContain('"unavailable"');
});

test('a condition on personal data fails', async () => {
  for (const condition of ["account_id = 'us-secret'", "nick = 'Secretnick'"]) {
    const { status, body } = await query(viewer, `SELECT count() AS n FROM ${typed()} WHERE ${condition}`);
    expect([status, body.code]).toEqual([400, 1003]);
    expect(body.data.queryFailureErrors[0].message).toContain(`unknown name: ${condition.split(' ')[0]}`);
  }
});

test('a member that becomes personal is hidden immediately, also in earlier events', async () => {
  const sql = 'SELECT data.score.:Int64 AS score FROM events';
  const { id: projectId } = await world.registry.createProject({ name: 'Golf' });
  const { text: key } = await world.registry.createKey({
    projectId,
    kind: 'administrative',
    comment: 'tests',
    createdBy: 'test',
    scopes: ['queries:read'],
  });
  const score = (personal: boolean) => ({
    type: 'object',
    properties: { score: { type: 'integer', ...(personal && { 'x-personal': true }) } },
  });
  await world.registry.declareEventType({ projectId, name: 'hole', declaration: score(false) });
  expect((await query(key, sql)).status).toBe(200);
  expect((await query(key, 'SELECT score FROM hole')).status).toBe(200);
  await world.registry.declareEventType({ projectId, name: 'hole', declaration: score(true) });
  expect((await query(key, sql)).status).toBe(400);
  expect((await query(key, 'SELECT score FROM hole')).status).toBe(400);
});

const range = { from: '2026-11-01T00:00:00Z', to: '2026-11-03T00:00:00Z' };
const conditions = (member: string) => [{ member, is: 'greater', value: '' }];

/** Every analysis and every place in it that can name a member. */
const waysOut: readonly (readonly [string, (member: string) => object])[] = [
  ['volume', (member) => ({ per: 'day', where: conditions(member) })],
  ['volume', (member) => ({ per: 'day', split: { member } })],
  ['players', (member) => ({ per: 'day', where: conditions(member) })],
  ['players', (member) => ({ per: 'day', split: { member } })],
  ['breakdown', (member) => ({ type: 'match.won', member })],
  ['breakdown', (member) => ({ type: 'match.won', member: 'level', where: conditions(member) })],
  ['funnel', (member) => ({ windowSeconds: 60, steps: stepsOf({}), split: { member } })],
  ['funnel', (member) => ({ windowSeconds: 60, steps: stepsOf({ where: member }) })],
];

function stepsOf({ where }: { readonly where?: string }) {
  const step = { type: 'match.won' };
  return [step, where === undefined ? step : { ...step, where: conditions(where) }];
}

const personalMembers = ['nick', 'home', 'home.city', 'friends', 'friends.name', 'nick.x'];
const personalColumns = [
  'account_id',
  'session_id',
  'client_address',
  'accountId',
  'sessionId',
  'clientAddress',
];

test.each([...personalMembers, ...personalColumns])(
  'no analysis filters, splits or counts by %s without personal:read',
  async (member) => {
    const outcomes: unknown[] = [];
    for (const [analysis, ask] of waysOut) {
      const body = { ...range, ...ask(member) };
      const path = `/v1/analyses/${analysis}`;
      const refused = await world.send({ method: 'POST', path, key: viewer, body });
      outcomes.push([analysis, body, refused.body.code, refused.body.data?.parameterName]);
    }
    expect(outcomes).toEqual(
      waysOut.map(([analysis, ask]) => [analysis, { ...range, ...ask(member) }, 2006, 'personal:read']),
    );
  },
);

test('a declared member with the name of a personal column is no personal data', async () => {
  const { id: projectId } = await world.registry.createProject({ name: 'Own names' });
  const scopes = ['queries:read'];
  const made = { projectId, kind: 'administrative', comment: '', createdBy: 'test', scopes } as const;
  const { text: key } = await world.registry.createKey(made);
  const own = { type: 'object', properties: { account_id: { type: 'string' } } };
  await world.registry.declareEventType({ projectId, name: 'ledger', declaration: own });
  const body = { ...range, per: 'day', where: conditions('account_id') };
  const { status } = await world.send({ method: 'POST', path: '/v1/analyses/volume', key, body });
  expect(status).toBe(200);
});

test('no call that reads returns personal data to a key that may read everything else', async () => {
  const { text: key } = await world.registry.createKey({
    projectId: mine.projectId,
    kind: 'administrative',
    comment: 'tests',
    createdBy: 'test',
    scopes: ['all:read'],
  });
  const named: Readonly<Record<string, string>> = {
    name: 'match.won',
    version: '1',
    projectId: mine.projectId,
    accountId: 'us-secret',
    keyId: mine.keyId,
  };
  const reads = world.operations.filter(({ method, keys, id }) => {
    return method === 'GET' && keys.includes('administrative') && id !== 'streamLive';
  });
  const leaks: unknown[] = [];
  for (const { id, path, query: schema, examples } of reads) {
    const example = examples?.[0];
    const given: Readonly<Record<string, unknown>> = { ...example?.params, ...named };
    const place = path.replaceAll(/\{(\w+)\}/g, (_, name) => encodeURIComponent(String(given[name])));
    const query = schema === undefined ? '' : new URLSearchParams(textsOf(example?.query)).toString();
    const { body } = await world.send({ path: `${place}?${query}`, key });
    const text = JSON.stringify(body).replaceAll('"invalidIdentifier":"us-secret"', '');
    const found = secrets.filter((secret) => text.includes(secret));
    if (found.length > 0) leaks.push([id, found]);
  }
  expect(reads.length).toBeGreaterThan(20);
  expect(leaks).toEqual([]);
});

function textsOf(values: unknown): Record<string, string> {
  return Object.fromEntries(Object.entries(values ?? {}).map(([name, value]) => [name, String(value)]));
}
