import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { connectClickHouse } from '../clickhouse.ts';
import { WarehouseFault } from '../warehouse-fault.ts';
import { projectUser } from './project-access.ts';
import { createProjectUsers, type QueryUsers } from './project-users.ts';
import { queryLimits } from './query-limits.ts';
import { createRunAsProject } from './run-as-project.ts';

/** What a ClickHouse with users looks like from outside: who asked it what, and which users it was told to make. */
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
  response.writeHead(200, { 'X-ClickHouse-Summary': '{}' }).end(answerTo(sql));
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
const able = { n: '1', granted: '1', refused: '', code: '497' };
let facts = able;
beforeEach(() => {
  asked = [];
  facts = able;
});

function answerTo(sql: string): string {
  if (sql.includes('user_directories')) return `{"n":${facts.n}}`;
  return sql.startsWith('CHECK GRANT') ? facts.granted : '';
}

function sqlOf(name: string): string[] {
  return asked.filter(({ user }) => user === name).map(({ sql }) => sql);
}

function createRunner(mode: QueryUsers, cluster: string | null = null) {
  const clickhouse = connectClickHouse({ url: `http://admin:pw@127.0.0.1:${port}`, maxConnections: 2 });
  onTestFinished(() => clickhouse.close());
  const place = { database: 'tickrate', cluster };
  const hindrances: string[] = [];
  const users = createProjectUsers(clickhouse, {
    ...{ place, timeoutMs: 5_000, mode, secret: 'a secret' },
    onHindrance: (reason) => hindrances.push(reason),
  });
  const run = createRunAsProject(clickhouse, { place, limits: queryLimits, users });
  return {
    hindrances,
    run: async (projectId: string) => {
      const answer = await run(projectId, 'SELECT 1', { timeoutMs: 5_000, database: 'project_p_one' });
      if (answer?.kind === 'stream') await text(answer.stream);
      return answer?.kind ?? null;
    },
  };
}

const mine = projectUser({ database: 'tickrate', cluster: null }, 'p-one', 'a secret');

test('a query runs as the user of its project, who is made once, and with no settings but its profile’s', async () => {
  const { run } = createRunner('auto');
  expect([await run('p-one'), await run('p-one')]).toEqual(['stream', 'stream']);
  const queries = asked.filter(({ sql }) => sql === 'SELECT 1');
  expect(queries.map(({ user, password }) => ({ username: user, password }))).toEqual([mine, mine]);
  expect(queries.flatMap(({ settings }) => settings)).toEqual(['query_id', 'query_id']);
  expect(sqlOf('admin').filter((sql) => sql.startsWith('CREATE USER'))).toHaveLength(1);
});

test('a second project costs its own user alone', async () => {
  const { run } = createRunner('required');
  await run('p-one');
  const before = asked.length;
  await run('p-two');
  expect(asked.slice(before).some(({ sql }) => sql.startsWith('CREATE ROLE'))).toBe(false);
  expect(asked.at(-1)).toMatchObject({ user: 'tickrate_project_p_two', sql: 'SELECT 1' });
});

test('a user that the server has lost is made anew, with what all of them share', async () => {
  const { run } = createRunner('auto');
  await run('p-one');
  asked = [];
  expect(await run('p-one')).toBe('stream');
  expect(asked.map(({ sql }) => sql.split(' ').slice(0, 2).join(' '))).toEqual([
    ...['SELECT 1', 'CREATE SETTINGS', 'ALTER SETTINGS', 'CREATE ROLE', 'CREATE QUOTA', 'ALTER QUOTA'],
    ...['CREATE ROW', 'ALTER ROW', 'CREATE USER', 'ALTER USER', 'GRANT `tickrate_queries`'],
    ...['CREATE ROW', 'ALTER ROW', 'GRANT SELECT', 'SELECT 1'],
  ]);
});

test.each([
  ['keeps no users', { ...able, n: '0' }, 'the server keeps no users'],
  ['cannot be asked', { ...able, refused: 'CHECK GRANT', code: '62' }, 'does not tell'],
  ['does not let its user make any', { ...able, granted: '0' }, 'no access_management'],
] as const)('where the server %s, nothing is made, and nothing runs if it must', async (_, found, reason) => {
  facts = found;
  const auto = createRunner('auto');
  expect(await auto.run('p-one')).toBe('stream');
  expect(sqlOf('admin').some((sql) => sql.startsWith('CREATE'))).toBe(false);
  expect(asked.at(-1)).toMatchObject({ user: 'admin', sql: 'SELECT 1' });
  expect(asked.at(-1)?.settings).toContain('additional_table_filters');
  const required = createRunner('required');
  expect(await required.run('p-one')).toBeNull();
  expect(required.hindrances).toEqual([expect.stringContaining(reason)]);
});

test('users are off when that is said, and on a cluster unless they are required', async () => {
  expect([await createRunner('off').run('p-one'), await createRunner('auto', 'main').run('p-one')]).toEqual([
    'stream',
    'stream',
  ]);
  expect(new Set(asked.map(({ user }) => user))).toEqual(new Set(['admin']));
  await createRunner('required', 'main').run('p-one');
  expect(sqlOf('admin')).toContainEqual(
    expect.stringContaining('ON `tickrate`.events_local ON CLUSTER `main`'),
  );
});

test('where making a user is refused, queries run without, or not at all if they must have one, and it is told', async () => {
  facts = { ...able, refused: 'GRANT SELECT' };
  const auto = createRunner('auto');
  expect([await auto.run('p-one'), await auto.run('p-one')]).toEqual(['stream', 'stream']);
  expect(asked.at(-1)).toMatchObject({ user: 'admin', sql: 'SELECT 1' });
  expect(auto.hindrances).toEqual([expect.stringContaining('cannot be made')]);
  const required = createRunner('required');
  expect([await required.run('p-one'), await required.run('p-one')]).toEqual([null, null]);
  expect(required.hindrances).toHaveLength(2);
});

test('where making a user fails for now, the query does not run, and the next one has its user', async () => {
  facts = { ...able, refused: 'CREATE USER', code: '241' };
  const { run, hindrances } = createRunner('auto');
  await expect(run('p-one')).rejects.toThrow(WarehouseFault);
  facts = able;
  expect(await run('p-one')).toBe('stream');
  expect(asked.at(-1)).toMatchObject({ user: 'tickrate_project_p_one' });
  expect(hindrances).toEqual([]);
});
