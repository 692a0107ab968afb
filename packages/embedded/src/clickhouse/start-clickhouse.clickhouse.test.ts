import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type ClickHouseClient, ClickHouseLogLevel, createClient } from '@clickhouse/client';
import { afterEach, expect, test } from 'vitest';
import type { EmbeddedOptions, EmbeddedServer } from '../embedded-server.ts';
import { birthOf } from '../process-table.ts';
import { scratchFolder } from '../scratch-folder.ts';
import { startClickHouse } from './start-clickhouse.ts';

const cleanups: (() => Promise<void> | void)[] = [];

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

function options(more: Partial<EmbeddedOptions> = {}): EmbeddedOptions {
  const folder = more.dataDir === undefined ? scratchFolder() : undefined;
  if (folder !== undefined) cleanups.push(folder.remove);
  return { dataDir: folder?.path ?? '', port: 0, user: 'u', password: 'p', database: 'd', ...more };
}

async function start(given: EmbeddedOptions): Promise<EmbeddedServer> {
  const server = await startClickHouse(given);
  cleanups.push(() => server.stop());
  return server;
}

function connect(url: string): ClickHouseClient {
  const client = createClient({ url, database: 'd', log: { level: ClickHouseLogLevel.OFF } });
  cleanups.push(() => client.close());
  return client;
}

async function count(client: ClickHouseClient): Promise<unknown> {
  const result = await client.query({ query: 'SELECT count() AS c FROM t', format: 'JSONEachRow' });
  return (await result.json<{ c: number }>())[0]?.c;
}

async function insert(client: ClickHouseClient, first: number, token: string): Promise<void> {
  const values = Array.from({ length: 100 }, (_, i) => ({ a: first + i }));
  const clickhouse_settings = { insert_deduplication_token: token };
  await client.insert({ table: 't', values, format: 'JSONEachRow', clickhouse_settings });
}

const TABLE =
  'CREATE TABLE t (a UInt32) ENGINE = MergeTree ORDER BY a SETTINGS non_replicated_deduplication_window = 100';

// Invariant (Tools): No table that a client creates keeps the embedded ClickHouse from its next start
test('acknowledged rows and tokens survive kill -9', async () => {
  const given = options();
  const first = await start(given);
  const client = connect(first.url);
  await client.command({ query: TABLE });
  for (let n = 0; n < 5; n++) await insert(client, n * 100, `token ${n}`);
  process.kill(first.pid, 'SIGKILL');
  expect(await first.exited).toEqual({ code: null, signal: 'SIGKILL' });

  const second = connect((await start(given)).url);
  expect(await count(second)).toBe(500);
  for (let n = 0; n < 5; n++) await insert(second, n * 100, `token ${n}`);
  expect(await count(second)).toBe(500);
  await insert(second, 1000, 'token 6');
  expect(await count(second)).toBe(600);
});

test('a stop waits for a running request, and its data are stored', async () => {
  const given = options();
  const server = await start(given);
  const client = connect(server.url);
  await client.command({ query: TABLE });
  const slow = client.command({ query: 'INSERT INTO t SELECT number + sleepEachRow(0.05) FROM numbers(20)' });
  await expect
    .poll(async () => {
      const result = await client.query({
        query: "SELECT count() AS c FROM system.processes WHERE query LIKE 'INSERT INTO t SELECT%'",
        format: 'JSONEachRow',
      });
      return (await result.json<{ c: number }>())[0]?.c;
    })
    .toBe(1);
  await Promise.all([server.stop(), slow]);
  expect(await server.exited).toEqual({ code: 0, signal: null });
  await server.stop();
  expect(await count(connect((await start(given)).url))).toBe(20);
});

/** Changes the definition of a table that its own server has accepted into one that no server can load. */
function breakDefinition(dataDir: string, table: string): void {
  const store = join(dataDir, 'data', 'store');
  const [file = ''] = readdirSync(store, { recursive: true, encoding: 'utf8' }).filter((path) =>
    path.endsWith(`/${table}.sql`),
  );
  const path = join(store, file);
  writeFileSync(path, readFileSync(path, 'utf8').replace('CHECK a > 0', 'CHECK (SELECT 1)'));
}

test('a server starts without the tables that it cannot load, and says where their definitions are', async () => {
  const lines: string[] = [];
  const given = options({ onLog: (line) => lines.push(line) });
  const first = await start(given);
  const client = connect(first.url);
  for (const name of ['one', 'two', 'whole'])
    await client.command({
      query: `CREATE TABLE default.${name} (a Int8, CONSTRAINT c CHECK a > 0) ENGINE = MergeTree ORDER BY a`,
    });
  await first.stop();
  for (const name of ['one', 'two']) breakDefinition(given.dataDir, name);
  const again = connect((await start(given)).url);
  const result = await again.query({ query: 'SHOW TABLES FROM default', format: 'TabSeparated' });
  expect(await result.text()).toBe('whole\n');
  const leftOut = lines.filter((line) => line.includes('is left out')).join('\n');
  expect(leftOut).toMatch(/default\.one .*unloadable\/default\.one/);
  expect(leftOut).toMatch(/default\.two .*unloadable\/default\.two/);
  expect(readdirSync(join(given.dataDir, 'unloadable'))).toHaveLength(2);
});

test('a table of the own database that cannot be loaded is named', async () => {
  const given = options();
  const first = await start(given);
  const query = 'CREATE TABLE own (a Int8, CONSTRAINT c CHECK a > 0) ENGINE = MergeTree ORDER BY a';
  await connect(first.url).command({ query });
  await first.stop();
  breakDefinition(given.dataDir, 'own');
  await expect(startClickHouse(given)).rejects.toMatchObject({
    reason: 'startFailed',
    message: expect.stringMatching(/^ClickHouse cannot load the table \w+\.own: ./),
    advice: expect.stringContaining('own.sql'),
  });
});

test('the next start removes files of unfinished requests', async () => {
  const given = options();
  mkdirSync(join(given.dataDir, 'spool'));
  writeFileSync(join(given.dataDir, 'spool', 'left'), 'x');
  await start(given);
  expect(readdirSync(join(given.dataDir, 'spool'))).toEqual([]);
});

test('a taken port fails clearly and frees the folder', async () => {
  const holder = createServer().listen(0, '127.0.0.1');
  cleanups.push(() => new Promise((resolve) => holder.close(() => resolve())));
  await expect.poll(() => holder.address()).not.toBeNull();
  const address = holder.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const given = options();
  await expect(startClickHouse({ ...given, port })).rejects.toMatchObject({
    reason: 'portTaken',
    message: `Port ${port} on 127.0.0.1 is taken`,
  });
  await start(given);
});

test('a folder below a file fails clearly', async () => {
  const folder = scratchFolder();
  cleanups.push(folder.remove);
  writeFileSync(join(folder.path, 'file'), '');
  const dataDir = join(folder.path, 'file', 'data');
  await expect(startClickHouse(options({ dataDir }))).rejects.toMatchObject({ reason: 'noFolder' });
});

test('a folder of another server fails clearly and stays with the first', async () => {
  const given = options();
  const first = await start(given);
  await expect(startClickHouse(given)).rejects.toMatchObject({ reason: 'dataInUse' });
  expect(await connect(first.url).ping()).toEqual({ success: true });
});

test('a server ends when its parent is killed and frees its folder', async () => {
  const given = options();
  const { parent, pid } = await startInOtherProcess(given);
  parent.kill('SIGKILL');
  await once(parent, 'exit');
  const again = await start(given);
  expect(birthOf(pid)).toBeUndefined();
  expect(await connect(again.url).ping()).toEqual({ success: true });
});

function startInOtherProcess(given: EmbeddedOptions): Promise<{ parent: ChildProcess; pid: number }> {
  const module = new URL('./start-clickhouse.ts', import.meta.url).href;
  const script = `const { startClickHouse } = await import(${JSON.stringify(module)});
    const server = await startClickHouse(${JSON.stringify(given)});
    console.log(server.pid);`;
  const parent = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  cleanups.push(() => void parent.kill('SIGKILL'));
  return new Promise((resolve) => {
    createInterface({ input: parent.stdout }).once('line', (line) => resolve({ parent, pid: Number(line) }));
  });
}

test('onLog receives the log lines of the child process', async () => {
  const lines: string[] = [];
  const server = await start(options({ onLog: (line) => lines.push(line) }));
  await expect(connect(server.url).command({ query: 'nonsense' })).rejects.toMatchObject({ code: '62' });
  await expect.poll(() => lines.some((line) => line.includes('"code":62'))).toBe(true);
  expect(existsSync(server.url)).toBe(false);
});
