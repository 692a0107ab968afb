import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { connectClickHouse } from '../../clickhouse.ts';
import { WarehouseFault } from '../../warehouse-fault.ts';
import { queryLimits } from '../query-limits.ts';
import { createRunAsProject } from '../run-as-project.ts';
import { projectUser, type Sight } from './project-access.ts';
import { createProjectUsers } from './project-users.ts';

/** A ClickHouse with users, seen from outside: it records callers, statements and created users. */
const server = createServer(async (request, response) => {
  const url = new URL(request.url ?? '/', 'http://127.0.0.1');
  const [user = '', password = ''] = Buffer.from(request.headers.authorization?.slice(6) ?? '', 'base64')
    .toString()
    .split(':');
  const sql = url.searchParams.get('query') ?? (await text(request));
  asked.push({ user, password, sql, settings: [...url.searchParams.keys()] });
  if (
    user !== 'admin' &&
    !sqlOf('admin').some((one) => one.startsWith(`CREATE USER IF NOT EXISTS \`${user}\``))
  ) {
    response.writeHead(403, { 'X-ClickHouse-Exception-Code': '516' }).end('Code: 516. DB::Exception: who?');
    return;
  }
  if (facts.refused !== '' && sql.startsWith(facts.refused)) {
    response
      .writeHead(500, { 'X-ClickHouse-Exception-Code': facts.code })
      .end('Code: 497. DB::Exception: no');
    return;
  }
  response.writeHead(200, { 'X-ClickHouse-Summary': '{}' }).end(answerTo(sql, user));
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
afterAll(() => new Promise((resolve) => server.close(resolve)));
const address = server.address();
const port = typeof address === 'object' ? address?.port : 0;

interface Asked {
  readonly user: string;
  readonly password: string;
  readonly sql: string;
  readonly settings: readonly string[];
}
let asked: Asked[] = [];
const able = { n: '1', granted: '1', refused: '', code: '497', sharesSecret: true };
let facts = able;
beforeEach(() => {
  asked = [];
  facts = able;
});

function answerTo(sql: string, user: string): string {
  if (sql.includes('system.roles')) return '{"n":0}';
  if (sql.includes('clusterAllReplicas')) return facts.sharesSecret ? user : `${user}\nadmin`;
  if (sql.includes('user_directories')) return `{"n":${facts.n}}`;
  return sql.startsWith('CHECK GRANT') ? facts.granted : '';
}

function sqlOf(name: string): string[] {
  return asked.filter(({ user }) => user === name).map(({ sql }) => sql);
}

function createRunner(cluster: string | null = null, secret: string | null = 'a secret') {
  const clickhouse = connectClickHouse({ url: `http://admin:pw@127.0.0.1:${port}`, maxConnections: 2 });
  onTestFinished(() => clickhouse.close());
  const hindrances: string[] = [];
  const users = createProjectUsers(clickhouse, {
    place: { database: 'tickrate', cluster },
    timeoutMs: 5_000,
    secret,
    onHindrance: (reason) => hindrances.push(reason),
  });
  const run = createRunAsProject(clickhouse, { limits: queryLimits, users });
  return {
    hindrances,
    users,
    run: async (projectId: string, sight: Sight = 'whole') => {
      const answer = await run({ projectId, sight }, 'SELECT 1', { timeoutMs: 5_000 });
      if (answer?.kind === 'stream') await text(answer.stream);
      return answer?.kind ?? null;
    },
  };
}

const place = { database: 'tickrate', cluster: null };
const mine = projectUser(place, { projectId: 'p-one', sight: 'whole' }, 'a secret');
const masked = projectUser(place, { projectId: 'p-one', sight: 'masked' }, 'a secret');

const runBy = (name: string) => asked.filter(({ sql, user }) => sql === 'SELECT 1' && user === name);

// Invariant (Queries): A query does not run where ClickHouse could show it rows of other projects
test('a query runs as the user of its project, which is created once, with the settings of its profile only', async () => {
  const { run } = createRunner();
  expect([await run('p-one'), await run('p-one')]).toEqual(['stream', 'stream']);
  const queries = asked.filter(({ sql }) => sql === 'SELECT 1');
  expect(queries.map(({ user, password }) => ({ username: user, password }))).toEqual([mine, mine]);
  expect(queries.flatMap(({ settings }) => settings)).toEqual(['query_id', 'query_id']);
  expect(sqlOf('admin').filter((sql) => sql.startsWith('CREATE USER'))).toHaveLength(1);
});

test('a caller without the scope for personal data runs as another user with other views', async () => {
  const { run } = createRunner();
  expect([await run('p-one'), await run('p-one', 'masked')]).toEqual(['stream', 'stream']);
  expect([runBy(mine.username).length, runBy(masked.username).length]).toEqual([1, 1]);
  const grants = sqlOf('admin').filter((sql) => sql.startsWith('GRANT SELECT'));
  expect(grants).toEqual([
    'GRANT SELECT ON `project_p_one`.* TO `tickrate_project_p_one` WITH REPLACE OPTION',
    'GRANT SELECT ON `masked_p_one`.* TO `tickrate_masked_p_one` WITH REPLACE OPTION',
  ]);
});

test('the definer of views cannot sign in, and is created with or without a secret', async () => {
  const { users } = createRunner(null, null);
  expect(await users.definer('p-one')).toBe('tickrate_rows_project_p_one');
  const [made] = sqlOf('admin').filter((sql) => sql.startsWith('CREATE USER'));
  expect(made).toContain('HOST NONE');
  expect(sqlOf('admin').at(-1)).toBe(
    'GRANT SELECT ON `tickrate`.events TO `tickrate_rows_project_p_one` WITH REPLACE OPTION',
  );
});

test('a second project creates only its own user', async () => {
  const { run } = createRunner();
  await run('p-one');
  const before = asked.length;
  await run('p-two');
  expect(asked.slice(before).some(({ sql }) => sql.startsWith('CREATE ROLE'))).toBe(false);
  expect(asked.at(-1)).toMatchObject({ user: 'tickrate_project_p_two', sql: 'SELECT 1' });
});

test('a lost user is created again, with the shared objects', async () => {
  const { run } = createRunner();
  await run('p-one');
  asked = [];
  expect(await run('p-one')).toBe('stream');
  expect(asked.map(({ sql }) => sql.split(' ').slice(0, 2).join(' '))).toEqual([
    'SELECT 1',
    'CREATE ROLE',
    'CREATE ROW',
    'ALTER ROW',
    'CREATE SETTINGS',
    'ALTER SETTINGS',
    'CREATE QUOTA',
    'ALTER QUOTA',
    'CREATE USER',
    'ALTER USER',
    'GRANT `tickrate_queries`',
    'CREATE ROW',
    'ALTER ROW',
    'GRANT SELECT',
    'SELECT 1',
  ]);
});

test.each([
  ['stores no users', { ...able, n: '0' }, 'the server stores no users'],
  ['cannot be queried', { ...able, refused: 'CHECK GRANT', code: '62' }, 'did not show its rights'],
  ['does not permit its user to create users', { ...able, granted: '0' }, 'lacks access_management'],
])('if the server %s, no user is created and no query runs', async (_, found, reason) => {
  facts = found;
  const { run, hindrances, users } = createRunner();
  expect([await run('p-one'), await users.definer('p-one')]).toEqual([null, null]);
  expect(sqlOf('admin').some((sql) => sql.startsWith('CREATE') || sql === 'SELECT 1')).toBe(false);
  expect(hindrances).toEqual([expect.stringContaining(reason)]);
});

test('if the server rejects the creation of a user, no query runs, and each call reports it', async () => {
  facts = { ...able, refused: 'GRANT SELECT' };
  const { run, hindrances } = createRunner();
  expect([await run('p-one'), await run('p-one')]).toEqual([null, null]);
  expect(asked.some(({ sql }) => sql === 'SELECT 1')).toBe(false);
  expect(hindrances).toEqual([
    expect.stringContaining('cannot be created'),
    expect.stringContaining('cannot be created'),
  ]);
});

test('without a secret for passwords no query runs', async () => {
  const { run, hindrances } = createRunner(null, null);
  expect([await run('p-one'), hindrances]).toEqual([null, ['no secret is configured']]);
});

test('if the creation of a user fails temporarily, the query does not run, and the next query creates it', async () => {
  facts = { ...able, refused: 'CREATE USER', code: '241' };
  const { run, hindrances } = createRunner();
  await expect(run('p-one')).rejects.toThrow(WarehouseFault);
  facts = able;
  expect(await run('p-one')).toBe('stream');
  expect(asked.at(-1)).toMatchObject({ user: 'tickrate_project_p_one' });
  expect(hindrances).toEqual([]);
});

test('on a cluster whose servers pass on the user, queries run, and its tables have policies', async () => {
  const { run } = createRunner('main');
  expect([await run('p-one'), await run('p-two')]).toEqual(['stream', 'stream']);
  const probed = asked.filter(({ sql }) => sql.includes('clusterAllReplicas'));
  expect(probed.map(({ user }) => user)).toEqual(['tickrate_probe']);
  expect(sqlOf('admin')).toContainEqual(
    expect.stringContaining('ON `tickrate`.events_local ON CLUSTER `main`'),
  );
});

test('on a cluster whose servers use another user, no query runs', async () => {
  facts = { ...able, sharesSecret: false };
  const { run, hindrances } = createRunner('main');
  expect([await run('p-one'), await run('p-one')]).toEqual([null, null]);
  expect(hindrances[0]).toContain('share no secret');
  expect(asked.some(({ sql }) => sql === 'SELECT 1')).toBe(false);
});
