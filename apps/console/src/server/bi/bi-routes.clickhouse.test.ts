import { compileDeclaration } from '@tickrate/events';
import { waitUntil } from '@tickrate/testkit';
import { beforeAll, expect, test } from 'vitest';
import { createConsoleWorld, type ManagedProject, startStoredWorld } from '../../testing/console-harness.ts';
import { cityHash128 } from './city-hash.ts';
import { findDrivers, run } from './drivers/find-drivers.ts';

const { world, clickhouse, warehouse, postgresUrl } = await startStoredWorld();
const drivers = await findDrivers();
let mine: ManagedProject;
let other: ManagedProject;
/** Of a user without and with personal data. */
let password: string;
let seeing: string;

beforeAll(async () => {
  [mine, other] = [await world.project(), await world.project()];
  const properties = { level: { type: 'integer' }, nick: { type: 'string', 'x-personal': true } };
  const declaration = { type: 'object', properties };
  const compiled = compileDeclaration(declaration);
  if (!compiled.ok) throw new Error('the declaration is not valid');
  const versions = [{ version: 1, columns: compiled.declaration.columns }];
  for (const { projectId } of [mine, other]) {
    await world.registry.declareEventType({ projectId, name: 'level_up', declaration });
    await warehouse.applyTypedView({ projectId, typeName: 'level_up', description: null, versions });
  }
  for (const [{ projectId }, level] of [
    [mine, 1],
    [mine, 2],
    [other, 987654321],
  ] as const)
    await store(projectId, level);
  password = await createUser();
  seeing = await createUser(['personal:read']);
});

async function createUser(more: readonly string[] = []): Promise<string> {
  const body = { kind: 'administrative', comment: 'Grafana', scopes: ['queries:read', ...more] };
  return (await world.send({ method: 'POST', path: '/v1/keys', key: mine.key, body })).body.text;
}

async function store(project: string, level: number): Promise<void> {
  const ids = { event_id: crypto.randomUUID(), chunk_id: crypto.randomUUID() };
  const times = { received: '2026-11-02 10:00:00', occurred: `2026-11-02 10:0${level % 10}:00` };
  const by = { project, type: 'level_up', version: 1, key_kind: 'session', account_id: 'us-secret' };
  const row = { ...by, ...ids, ...times, data: { level, nick: 'Secretnick' } };
  await clickhouse.run(`INSERT INTO events FORMAT JSONEachRow ${JSON.stringify(row)}`);
}

interface Asked {
  readonly user?: string;
  readonly password?: string;
  readonly search?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly url?: string;
}

async function ask(sql: string, { search = '', headers, url = world.url, ...who }: Asked = {}) {
  const credentials = `${who.user ?? mine.projectId}:${who.password ?? password}`;
  const answer = await fetch(`${url}/${search}`, {
    method: 'POST',
    headers: headers ?? { Authorization: `Basic ${btoa(credentials)}`, 'Content-Type': 'text/plain' },
    body: sql,
  });
  const code = answer.headers.get('x-clickhouse-exception-code');
  return { status: answer.status, code, text: await answer.text(), headers: answer.headers };
}

test('a user reads its project in the format of the statement, a header or the URL', async () => {
  const sql = 'SELECT level FROM level_up ORDER BY level';
  expect((await ask(sql)).text).toBe('1\n2\n');
  expect((await ask(`-- Metabase:: userID: 1\n${sql} FORMAT CSVWithNames;\n`)).text).toBe('"level"\n1\n2\n');
  expect((await ask(sql, { search: '?default_format=JSONEachRow' })).text).toBe(
    '{"level":"1"}\n{"level":"2"}\n',
  );
  const byHeaders = { 'X-ClickHouse-User': mine.projectId, 'X-ClickHouse-Key': password };
  const { text, headers } = await ask(sql, {
    headers: { ...byHeaders, 'X-ClickHouse-Format': 'TSVWithNames' },
  });
  expect(text).toBe('level\n1\n2\n');
  expect(headers.get('x-clickhouse-format')).toBe('TSVWithNames');
  expect(headers.get('x-clickhouse-summary')).toBe('{"result_rows":"2"}');
  const database = mine.projectId.replace('p-', 'project_p_');
  expect(
    (await ask(`SELECT count() FROM ${database}.level_up`, { search: `?database=${database}` })).text,
  ).toBe('2\n');
  expect(await (await fetch(`${world.url}/ping`)).text()).toBe('Ok.\n');
});

test('a tool finds the tables and columns of its project, and no others', async () => {
  const database = mine.projectId.replace('p-', 'project_p_');
  const found: [sql: string, text: string][] = [
    ['SHOW DATABASES', `${database}\n`],
    [`show tables from "${database}"`, 'events\nlevel_up\n'],
    ["SHOW TABLES LIKE 'lev%'", 'level_up\n'],
    ['SHOW TABLES FROM system', ''],
    [`EXISTS TABLE \`${database}\`.\`level_up\``, '1\n'],
    ['EXISTS TABLE nothing', '0\n'],
    [`EXISTS DATABASE ${database}`, '1\n'],
    [
      "SELECT database, name, engine FROM system.tables WHERE name = 'level_up'",
      `${database}\tlevel_up\tView\n`,
    ],
    [
      'SELECT t.name FROM system.tables t JOIN system.databases d ON system.tables.database = system.databases.name ORDER BY 1',
      'events\nlevel_up\n',
    ],
    ["SELECT type FROM system.columns WHERE system.columns.name = 'level'", 'Nullable(Int64)\n'],
    ['SELECT name, value FROM system.settings', ''],
    [
      "SELECT timezone(), currentUser(), currentDatabase(), 'version()'",
      `UTC\t${mine.projectId}\t${database}\tversion()\n`,
    ],
  ];
  const given = await Promise.all(found.map(async ([sql]) => [sql, (await ask(sql)).text]));
  expect(given).toEqual(found);
  const columns = async (who: string) => (await ask('DESCRIBE TABLE level_up', { password: who })).text;
  expect(await columns(password)).not.toMatch(/nick|account_id/);
  expect(await columns(seeing)).toMatch(/account_id.*nick/s);
});

test.each([
  // Metabase
  `-- Metabase:: userID: 1 queryType: MBQL queryHash: 1f
SELECT toStartOfMonth(\`DB\`.\`level_up\`.\`occurred\`) AS \`occurred\`, COUNT(*) AS \`count\`, CAST(sum(\`DB\`.\`level_up\`.\`level\`) AS float) AS \`sum\`
FROM \`DB\`.\`level_up\` WHERE \`DB\`.\`level_up\`.\`occurred\` >= parseDateTimeBestEffort('2026-11-01')
GROUP BY toStartOfMonth(\`DB\`.\`level_up\`.\`occurred\`) ORDER BY 1 ASC LIMIT 1048575`,
  'SELECT `source`.`level` AS `level` FROM (SELECT `DB`.`level_up`.`level` AS `level` FROM `DB`.`level_up`) AS `source` LIMIT 1',
  // Superset
  `SELECT toStartOfDay(toDateTime(\`occurred\`)) AS \`__timestamp\`, COUNT(DISTINCT \`level\`) AS \`COUNT_DISTINCT(level)\`
FROM \`DB\`.\`level_up\` WHERE \`occurred\` >= toDateTime('2026-11-01 00:00:00') GROUP BY toStartOfDay(toDateTime(\`occurred\`))
ORDER BY \`COUNT_DISTINCT(level)\` DESC LIMIT 10000;
-- 6dcd92a04feb50f14bbcf07c661680ba`,
  // Grafana
  `SELECT toStartOfInterval(toDateTime(occurred), INTERVAL 60 second) as time, count() as "all" FROM "DB"."level_up"
WHERE ( time >= toDateTime(1761955200) AND time <= toDateTime(1796083200) ) GROUP BY time ORDER BY time ASC LIMIT 1`,
])('a statement as a tool writes it runs: %s', async (sql) => {
  const { status, text } = await ask(sql.replaceAll('DB', own()), { search: '?default_format=TSV' });
  expect([status, text.split('\n').length]).toEqual([200, 2]);
});

test('personal data is shown to a user that may read it', async () => {
  const sql = 'SELECT DISTINCT account_id, nick FROM level_up';
  expect((await ask(sql, { password: seeing })).text).toBe('us-secret\tSecretnick\n');
});

const own = () => mine.projectId.replace('p-', 'project_p_');
const foreign = () => other.projectId.replace('p-', 'project_p_');

// Invariant (Queries): A BI tool reads what `POST /v1/query` shows its key, and changes nothing
test.each<[sql: string, code: string]>([
  ['INSERT INTO level_up (level) VALUES (1)', '164'],
  ['DROP TABLE OWN.level_up', '164'],
  ['TRUNCATE TABLE events', '164'],
  ['CREATE TABLE t (a UInt8) ENGINE = Memory', '164'],
  ['ALTER TABLE events DELETE WHERE 1', '164'],
  ['GRANT ALL ON *.* TO x', '164'],
  ['SET readonly = 0', '164'],
  ['KILL QUERY WHERE 1', '164'],
  ['SHOW CREATE TABLE level_up', '164'],
  ['SHOW GRANTS', '164'],
  ['SELECT 1; DROP TABLE level_up', '62'],
  ['SELECT * FROM FOREIGN.level_up', '60'],
  ['SELECT * FROM `FOREIGN`.level_up', '60'],
  ['SELECT * FROM tickrate.events', '60'],
  ['SELECT * FROM system.users', '60'],
  ['SELECT * FROM system.query_log', '60'],
  ['SELECT * FROM system.processes', '48'],
  ['SELECT * FROM system.functions', '60'],
  ['SELECT * FROM `system`.`server_settings`', '60'],
  ['SELECT * FROM information_schema.tables', '60'],
  ["SELECT * FROM url('http://127.0.0.1/', CSV)", '48'],
  ["SELECT * FROM file('/etc/passwd', LineAsString)", '46'],
  ["SELECT * FROM remote('127.0.0.1', system.users)", '48'],
  ["SELECT * FROM merge('', 'events')", '46'],
  ["SELECT getSetting('max_memory_usage')", '46'],
  ["SELECT dictGet('a', 'b', 1)", '46'],
  ['SELECT sleep(3)', '46'],
  ['SELECT 1 SETTINGS max_execution_time = 0', '164'],
  ['SELECT nick FROM level_up', '47'],
  ['SELECT account_id FROM events', '47'],
  ['SELECT data FROM events', '47'],
  // Each of these is the whole list of columns.
  [`SELECT 1 FROM ${Array.from({ length: 9 }, () => 'system.columns').join(', ')}`, '48'],
  ["SELECT 1 INTO OUTFILE '/tmp/x'", '48'],
  ['SELECT 1 FORMAT Template', '36'],
  ['SELECT 1 FORMAT MySQLWire', '36'],
  ['SELECT', '62'],
])('%s is refused with %s', async (sql, code) => {
  const written = sql.replaceAll('OWN', own()).replaceAll('FOREIGN', foreign());
  const answer = await ask(written);
  expect([answer.status, answer.code, answer.text]).toEqual([
    400,
    code,
    expect.stringMatching(
      new RegExp(`^Code: ${code}\\. DB::Exception: .+ \\(Tickrate 1003, request .+\\)\\n$`),
    ),
  ]);
  expect(answer.text).not.toMatch(/Secret|us-secret|987654321/);
});

test('drivers get the blocks that they ask for', async () => {
  const authorization = { Authorization: `Basic ${btoa(`${mine.projectId}:${password}`)}` };
  const bytesOf = async (search: string, body: string) => {
    const answer = await fetch(`${world.url}/?${search}`, { method: 'POST', headers: authorization, body });
    return Buffer.from(await answer.arrayBuffer());
  };
  const block = await bytesOf('compress=1', "SELECT repeat('ab', 1000)");
  expect(block.subarray(0, 16)).toEqual(cityHash128(block.subarray(16)));
  expect([block[16], block.readUInt32LE(17), block.readUInt32LE(21)]).toEqual([
    0x82,
    block.length - 16,
    2001,
  ]);
  expect(block.subarray(-2001).toString()).toBe(`${'ab'.repeat(1000)}\n`);
  const hello = 'SELECT displayName(), version(), revision(), timezone()';
  const native = await bytesOf('default_format=Native&client_protocol_version=54460', hello);
  expect(native.subarray(0, 10)).toEqual(Buffer.of(1, 0, 2, 0xff, 0xff, 0xff, 0xff, 0, 4, 1));
  expect(native.subarray(-16).toString('latin1')).toBe('timezone()\x06String\0\x03UTC'.slice(-16));
});

test.each(drivers)(
  '$name reads tables and rows, and is refused everything else in words',
  async ({ command }) => {
    const seen = await run([...command, world.url, mine.projectId, password, own()]);
    expect(JSON.parse(seen)).toEqual({
      levels: [1, 2],
      tables: ['events', 'level_up'],
      dropped: expect.stringContaining('sql: only SELECT is allowed (Tickrate 1003'),
      signedIn: expect.stringContaining(
        'The API key is not valid: it is misspelt, was revoked, or has ended (Tickrate 2002',
      ),
    });
  },
  // The first time, a compiler reads all of the driver.
  120_000,
);

test('settings in the URL lift no limit and parameters are refused', async () => {
  const search = '?readonly=0&max_rows_to_read=0&max_result_rows=0&max_execution_time=0&role=x&database=';
  const answer = await ask('SELECT count() FROM numbers(3000000000)', { search });
  expect([answer.status, answer.code]).toEqual([400, '396']);
  expect((await ask('SELECT {x:UInt8}', { search: '?param_x=1' })).code).toBe('36');
});

test('a wrong password, user, database or kind of key is refused', async () => {
  const player = await world.registry.createKey({
    projectId: mine.projectId,
    kind: 'public',
    comment: '',
    createdBy: 'x',
  });
  const narrow = await world.project(['keys:read']);
  const outcomes = [
    await ask('SELECT 1', { password: password.slice(0, -1) + (password.endsWith('a') ? 'b' : 'a') }),
    await ask('SELECT 1', { password: '' }),
    await ask('SELECT 1', { user: 'default' }),
    await ask('SELECT 1', { user: other.projectId }),
    await ask('SELECT 1', { headers: {} }),
    await ask('SELECT 1', { headers: {}, search: `?user=${mine.projectId}&password=${password}` }),
    await ask('SELECT 1', { password: player.text }),
    await ask('SELECT 1', { user: narrow.projectId, password: narrow.key }),
    await ask('SELECT 1', { search: `?database=${foreign()}` }),
  ];
  expect(outcomes[3]?.text).toContain(`user: not ${mine.projectId}, the project of the password`);
  expect(outcomes.map(({ status, code }) => [status, code])).toEqual([
    ...Array.from({ length: 6 }, () => [401, '516']),
    [403, '497'],
    [403, '497'],
    [400, '36'],
  ]);
});

test('a revoked user reads nothing more', async () => {
  const leaving = await createUser();
  expect((await ask('SELECT 1', { password: leaving })).text).toBe('1\n');
  const { results } = (await world.send({ path: '/v1/keys?limit=1', key: mine.key })).body;
  await world.send({ method: 'DELETE', path: `/v1/keys/${results[0].id}`, key: mine.key });
  const isRefused = async () => (await ask('SELECT 1', { password: leaving })).code === '516';
  await waitUntil(isRefused, { what: 'the refusal of the user' });
});

test('wrong passwords are limited by address, as other keys are', async () => {
  const limited = await createConsoleWorld({ postgresUrl, clickhouse, values: { rateOfAddress: 1 } });
  try {
    const codes: number[] = [];
    for (let at = 0; at < 4; at++)
      codes.push((await ask('SELECT 1', { url: limited.url, password: 'x' })).status);
    expect(codes).toContain(429);
  } finally {
    await limited.close();
  }
});
