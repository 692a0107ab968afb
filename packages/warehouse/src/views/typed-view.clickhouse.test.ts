import { randomBytes, randomUUID } from 'node:crypto';
import { readAcceptedDeclaration } from '@tickrate/events';
import { freshClickHouse } from '@tickrate/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestProject } from '../test-project.ts';
import { createTestType, frameOf } from '../test-rows.ts';
import { createWarehouse } from '../warehouse.ts';
import { viewName } from './typed-view.ts';

const { url, database } = await freshClickHouse();
const { warehouse, projectId, viewDatabase, store, applyView, drop } = createTestProject({
  url,
  database,
  newId: randomUUID,
});

beforeAll(() => warehouse.migrate());
afterAll(() => drop());

test('the view returns the sent value for every type of member', async () => {
  const type = createTestType('all_types', 1, {
    small: { type: 'integer', format: 'int32' },
    whole: { type: 'integer', format: 'int64' },
    wide: { type: 'integer', format: 'uint64' },
    real: { type: 'number' },
    text: { type: 'string' },
    flag: { type: 'boolean' },
    at: { type: 'string', format: 'date-time' },
    on: { type: 'string', format: 'date' },
    id: { type: 'string', format: 'uuid' },
    four: { type: 'string', format: 'ipv4' },
    six: { type: 'string', format: 'ipv6' },
    kind: { type: 'string', enum: ['a', 'b'] },
    tags: { type: 'array', items: { type: 'string' } },
    times: { type: 'array', items: { type: 'string', format: 'date-time' } },
    grid: { type: 'array', items: { type: 'array', items: { type: 'integer' } } },
    prices: { type: 'object', additionalProperties: { type: 'number' } },
    nested: {
      type: 'object',
      additionalProperties: { type: 'object', additionalProperties: { type: 'integer' } },
    },
    items: {
      type: 'array',
      items: { type: 'object', properties: { name: { type: 'string' }, count: { type: 'integer' } } },
    },
    deep: {
      type: 'object',
      properties: {
        b: { type: 'object', properties: { c: { type: 'object', properties: { d: { type: 'integer' } } } } },
      },
    },
  });
  const smallest = {
    small: -2147483648,
    whole: '-9223372036854775808',
    wide: '0',
    real: -1.7976931348623157e308,
    text: '',
    flag: false,
    at: '1900-01-01T00:00:00.000Z',
    on: '1900-01-01',
    id: '00000000-0000-0000-0000-000000000000',
    four: '0.0.0.0',
    six: '::',
    kind: 'a',
    tags: [],
    times: [],
    grid: [[]],
    prices: {},
    nested: {},
    items: [],
    deep: {},
  };
  const largest = {
    small: 2147483647,
    whole: '9223372036854775807',
    wide: '18446744073709551615',
    real: 5e-324,
    text: 'zażółć 🎮 \u0000 "quoted" \\ \n 日本',
    flag: true,
    at: '2299-12-31T23:59:59.999Z',
    on: '2299-12-31',
    id: '0190d6a0-1234-7abc-8def-0123456789ab',
    four: '255.255.255.255',
    six: '2001:db8::8a2e:370:7334',
    kind: 'b',
    tags: ['ä', '', 'ä'],
    times: ['2026-11-21T12:00:00.001Z'],
    grid: [[1, 2], [], [-3]],
    prices: { 'gold.coins': 1.5, 'a b`c': -0.25, '': 3 },
    nested: { 'x.y': { z: 1, 'é.1': 2 }, empty: {} },
    items: [{ name: 'sword', count: 2 }, { name: 'shield' }],
    deep: { b: { c: { d: 42 } } },
  };
  await store(type, smallest, largest, {});
  const view = await applyView(type);
  const rows = await warehouse.query(
    `SELECT * EXCEPT (event_id, occurred, received, client_time, version, account_id, session_id, key_kind,
      client_address, sdk_name, sdk_version) FROM ${view} ORDER BY small`,
  );
  const shownTime = (at: string) => at.replace('T', ' ').replace('Z', '');
  const { deep: _, ...flat } = smallest;
  expect(rows).toEqual([
    { ...flat, at: shownTime(smallest.at), 'deep.b.c.d': null },
    {
      ...Object.fromEntries(Object.entries(largest).filter(([name]) => name !== 'deep')),
      at: shownTime(largest.at),
      times: largest.times.map(shownTime),
      grid: [['1', '2'], [], ['-3']],
      nested: { 'x.y': { z: '1', 'é.1': '2' }, empty: {} },
      items: [
        { name: 'sword', count: '2' },
        { name: 'shield', count: null },
      ],
      'deep.b.c.d': '42',
    },
    {
      ...Object.fromEntries(Object.keys(flat).map((name) => [name, null])),
      tags: [],
      times: [],
      grid: [],
      prices: {},
      nested: {},
      items: [],
      'deep.b.c.d': null,
    },
  ]);
});

test('the view shows the envelope and the members', async () => {
  const type = createTestType('envelope', 3, { a: { type: 'integer' } });
  await store(type, { a: 1 });
  const rows = await warehouse.query(`SELECT * FROM ${await applyView(type)}`);
  expect(rows).toEqual([
    {
      event_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      occurred: '2026-11-21 12:00:00.000',
      received: '2026-11-21 12:00:00.000',
      client_time: null,
      version: 3,
      account_id: 'account-1',
      session_id: 'session-1',
      key_kind: 'session',
      client_address: '',
      sdk_name: 'unity',
      sdk_version: '1.2.3',
      a: '1',
    },
  ]);
});

test('members keep their names, and a conflicting column of the envelope is renamed', async () => {
  const names = [
    'data',
    'project',
    'type',
    'version',
    'version_',
    'event_id',
    'e',
    'select',
    'from',
    'null',
    'NULL',
  ];
  const properties = Object.fromEntries(names.map((name) => [name, { type: 'string' }]));
  const type = createTestType('hostile_names', 1, properties);
  await store(type, Object.fromEntries(names.map((name) => [name, `value of ${name}`])));
  const view = await applyView(type);
  const [row] = await warehouse.query<Record<string, unknown>>(`SELECT * FROM ${view}`);
  expect(row).toMatchObject(Object.fromEntries(names.map((name) => [name, `value of ${name}`])));
  expect(row).toMatchObject({ version__: 1, event_id_: expect.stringMatching(/-/), account_id: 'account-1' });
});

test('every type name has its own view', async () => {
  const names = [
    'A',
    'a',
    'a.b',
    'a-b',
    'a_b',
    'select',
    'x'.repeat(128),
    `x${'.-'.repeat(63)}.`,
    `x${'.-'.repeat(63)}-`,
  ];
  for (const name of names) {
    const type = createTestType(name, 1, { of: { type: 'string' } });
    await store(type, { of: name });
    const view = await applyView(type);
    expect(await warehouse.query(`SELECT of FROM ${view}`)).toEqual([{ of: name }]);
  }
});

test('any description becomes a comment', async () => {
  const words = 'it\'s `a` \\ "b" -- ; DROP DATABASE x \n {p:String} é';
  const type = createTestType('comments', 1, {
    a: { type: 'integer', description: words },
    b: { type: 'string', deprecated: true, 'x-personal': true, description: 'who' },
  });
  await warehouse.applyTypedView({ projectId, typeName: type.name, description: words, versions: [type] });
  const columns = await warehouse.query(
    "SELECT name, type, comment FROM system.columns WHERE database = {db:String} AND table = {table:String} AND name IN ('a', 'b') ORDER BY name",
    { parameters: { db: viewDatabase, table: type.name } },
  );
  expect(columns).toEqual([
    { name: 'a', type: 'Nullable(Int64)', comment: words },
    { name: 'b', type: 'Nullable(String)', comment: 'Deprecated. Personal datum. who' },
  ]);
  const views = await warehouse.query(
    'SELECT comment FROM system.tables WHERE database = {db:String} AND name = {table:String}',
    { parameters: { db: viewDatabase, table: type.name } },
  );
  expect(views).toEqual([{ comment: words }]);
});

test('a view shows only the events of its project and type', async () => {
  const mine = createTestType('mine', 1, { a: { type: 'integer' } });
  await store(mine, { a: 1 });
  const chunkId = randomUUID();
  const foreign = mine.encode([{ event: { a: 2 } }], { chunkId, projectId: 'p-other' });
  await warehouse.insertRows({ body: [frameOf(foreign)], token: chunkId });
  await store(createTestType('mine_too', 1, { a: { type: 'integer' } }), { a: 3 });
  expect(await warehouse.query(`SELECT a FROM ${await applyView(mine)}`)).toEqual([{ a: '1' }]);
});

test('many workers can create the same views concurrently with reads', async () => {
  const type = createTestType('at_once', 1, { a: { type: 'integer' } });
  await store(type, { a: 1 });
  const view = await applyView(type);
  const others = [1, 2, 3].map(() => createWarehouse({ clickhouseUrl: url, database }));
  const rounds = others.flatMap((other) =>
    Array.from({ length: 10 }, () =>
      other.applyTypedView({ projectId, typeName: type.name, description: null, versions: [type] }),
    ),
  );
  const reads = Array.from({ length: 20 }, () => warehouse.query(`SELECT a FROM ${view}`));
  await Promise.all(rounds);
  expect(await Promise.all(reads)).toEqual(reads.map(() => [{ a: '1' }]));
  await Promise.all(others.map((other) => other.close()));
});

test('a query on a member reads only that member and the rows of its type', async () => {
  const type = createTestType('pruned', 1, {
    level: { type: 'integer' },
    ballast: { type: 'string' },
  });
  const events = Array.from({ length: 20_000 }, (_, level) => ({
    level,
    ballast: randomBytes(60).toString('base64'),
  }));
  await store(type, ...events);
  const view = await applyView(type);
  const plan = await warehouse.query<{ explain: string }>(
    `EXPLAIN indexes = 1, actions = 1 SELECT max(level) FROM ${view} WHERE occurred > '2026-11-01' AND level > 10`,
  );
  const text = plan.map(({ explain }) => explain).join('\n');
  expect(text).toMatch(/Condition: .*type in \[.*project in \[/);
  expect(text).toMatch(/toRelativeHourNum\(occurred\) in/);
  expect(text).not.toMatch(/ballast/);
});

test('the view of a type with the most members and words of a declaration is created', async () => {
  const words = 'd"\\'.repeat(330);
  const properties = Object.fromEntries(
    Array.from({ length: 500 }, (_, n) => [`m${n}`, { $ref: '#/$defs/described' }]),
  );
  const result = readAcceptedDeclaration({
    type: 'object',
    properties,
    $defs: { described: { type: 'string', description: words } },
  });
  if (!result.ok) throw new Error('it is accepted');
  const versions = [{ version: 1, columns: result.declaration.columns }];
  await warehouse.applyTypedView({ projectId, typeName: 'wide', description: null, versions });
  expect(await warehouse.query(`SELECT m499 FROM ${viewName(projectId, 'wide')}`)).toEqual([]);
});

test('a fault of a view does not quote the declaration', async () => {
  const columns = Array.from({ length: 3 }, (_, n) => ({
    path: `m${n}`,
    type: 'NoSuchType',
    nullable: false,
    deprecated: false,
    personal: false,
    description: 'what the studio is about to launch',
  }));
  const view = { projectId, typeName: 'refused', description: null, versions: [{ version: 1, columns }] };
  const fault = await warehouse.applyTypedView(view).catch((error: unknown) => error);
  expect(fault).toMatchObject({ transient: false, message: expect.not.stringContaining('studio') });
  expect(String(fault)).toContain('the view of an event type');
});
