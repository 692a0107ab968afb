import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { EmbeddedOptions, EmbeddedServer } from '../embedded-server.ts';
import { birthOf, processesIn } from '../process-table.ts';
import { scratchFolder } from '../scratch-folder.ts';
import { startPostgres } from './start-postgres.ts';

const cleanups: (() => Promise<void> | void)[] = [];

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

function options(more: Partial<EmbeddedOptions> = {}): EmbeddedOptions {
  const folder = more.dataDir === undefined ? scratchFolder() : undefined;
  if (folder !== undefined) cleanups.push(folder.remove);
  return {
    dataDir: folder?.path ?? '',
    port: 0,
    user: "o'dd",
    password: 'p@"ss\'',
    database: 'tick rate',
    fast: true,
    ...more,
  };
}

// Creating a cluster takes most of the time, so tests of other things start with a copy of one.
const template = scratchFolder();

beforeAll(async () => {
  await (await startPostgres(options({ dataDir: template.path }))).stop();
});

afterAll(() => template.remove());

function used(more: Partial<EmbeddedOptions> = {}): EmbeddedOptions {
  const given = options(more);
  execFileSync('cp', ['-a', `${template.path}/.`, given.dataDir]);
  return given;
}

async function start(given: EmbeddedOptions): Promise<EmbeddedServer> {
  const server = await startPostgres(given);
  cleanups.push(() => server.stop());
  return server;
}

async function query(url: string, text: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query({ text, rowMode: 'array' })).rows.flat();
  } finally {
    await client.end();
  }
}

describe('a fresh folder', () => {
  test('serves the configured database to the configured user over TCP, by password only', async () => {
    const server = await start(options({ fast: false }));
    const facts = 'SELECT current_user, current_database(), inet_server_addr()';
    expect(await query(server.url, facts)).toEqual(["o'dd", 'tick rate', '127.0.0.1']);
    const wrong = server.url.replace(/:[^:@]+@/, ':wrong@');
    await expect(query(wrong, 'SELECT 1')).rejects.toMatchObject({ code: '28P01' });
    const settings =
      "SELECT string_agg(setting, ',' ORDER BY name) FROM pg_settings WHERE name IN ('fsync', 'max_connections', 'synchronous_commit', 'password_encryption')";
    expect(await query(server.url, settings)).toEqual(['on,200,scram-sha-256,on']);
  });

  test('runs as an account other than root, which owns the data', async () => {
    const server = await start(used());
    const status = readFileSync(`/proc/${server.pid}/status`, 'utf8');
    const uid = Number(/^Uid:\s+(\d+)/m.exec(status)?.[1]);
    const [data] = await query(server.url, 'SHOW data_directory');
    expect(uid).not.toBe(0);
    expect(statSync(String(data)).uid).toBe(uid);
  });

  test('starts again after an interrupted first start', async () => {
    const given = options();
    mkdirSync(join(given.dataDir, 'data.partial-left'));
    writeFileSync(join(given.dataDir, 'data.partial-left', 'PG_VERSION'), '18');
    const server = await start(given);
    expect(await query(server.url, 'SELECT 1')).toEqual([1]);
    expect(readdirSync(given.dataDir).filter((name) => name.startsWith('data'))).toEqual(['data']);
  });
});

describe('data', () => {
  test('survive a restart with another password and database', async () => {
    const given = used();
    const first = await start(given);
    await query(first.url, 'CREATE TABLE t AS SELECT 42 AS a');
    await first.stop();
    expect(await first.exited).toEqual({ code: 0, signal: null });
    const second = await start({ ...given, password: 'changed', database: 'other' });
    expect(await query(second.url, 'SELECT current_database()')).toEqual(['other']);
    await second.stop();
    const third = await start(given);
    expect(await query(third.url, 'SELECT a FROM t')).toEqual([42]);
  });

  test('survive kill -9 of the server and of each of its processes', async () => {
    const given = used({ fast: false });
    const first = await start(given);
    await query(first.url, 'CREATE TABLE t (a int)');
    await query(first.url, 'INSERT INTO t SELECT generate_series(1, 1000)');
    process.kill(first.pid, 'SIGKILL');
    await first.exited;
    const second = await start(given);
    expect(await query(second.url, 'SELECT count(*)::int FROM t')).toEqual([1000]);
    for (const { pid } of processesIn(join(given.dataDir, 'data'))) process.kill(pid, 'SIGKILL');
    await second.exited;
    expect(existsSync(join(given.dataDir, 'data', 'postmaster.pid'))).toBe(true);
    const third = await start(given);
    expect(await query(third.url, 'SELECT count(*)::int FROM t')).toEqual([1000]);
  });

  test('are taken over from a server whose parent was killed', async () => {
    const given = used();
    const { parent, pid, url } = await startInOtherProcess(given);
    await query(url, 'CREATE TABLE t AS SELECT 7 AS a');
    await expect(startPostgres(given)).rejects.toMatchObject({ reason: 'dataInUse' });
    parent.kill('SIGKILL');
    await once(parent, 'exit');
    expect(birthOf(pid)).toBeDefined();
    const again = await start(given);
    expect(birthOf(pid)).toBeUndefined();
    expect(await query(again.url, 'SELECT a FROM t')).toEqual([7]);
  });
});

async function startInOtherProcess(given: EmbeddedOptions) {
  const module = new URL('./start-postgres.ts', import.meta.url).href;
  const script = `const { startPostgres } = await import(${JSON.stringify(module)});
    const { pid, url } = await startPostgres(${JSON.stringify(given)});
    console.log(JSON.stringify({ pid, url }));`;
  const parent = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  cleanups.push(() => void parent.kill('SIGKILL'));
  const [line] = await once(createInterface({ input: parent.stdout }), 'line');
  const { pid, url } = JSON.parse(String(line)) as { pid: number; url: string };
  return { parent, pid, url };
}

describe('faults', () => {
  test('a taken port', async () => {
    const holder = createServer().listen(0, '127.0.0.1');
    cleanups.push(() => new Promise((resolve) => holder.close(() => resolve())));
    await once(holder, 'listening');
    const address = holder.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    await expect(startPostgres(options({ port }))).rejects.toMatchObject({
      name: 'EmbeddedFault',
      reason: 'portTaken',
      message: `Port ${port} on 127.0.0.1 is taken`,
    });
  });

  test('a folder below a file', async () => {
    const folder = scratchFolder();
    cleanups.push(folder.remove);
    writeFileSync(join(folder.path, 'file'), '');
    const dataDir = join(folder.path, 'file', 'data');
    await expect(startPostgres(options({ dataDir }))).rejects.toMatchObject({ reason: 'noFolder' });
  });

  test('a folder of a running server', async () => {
    const given = used();
    const first = await start(given);
    await expect(startPostgres(given)).rejects.toMatchObject({ reason: 'dataInUse' });
    expect(await query(first.url, 'SELECT 1')).toEqual([1]);
  });

  test('damaged data', async () => {
    const given = used();
    await (await start(given)).stop();
    rmSync(join(given.dataDir, 'data', 'global', 'pg_control'));
    await expect(startPostgres(given)).rejects.toMatchObject({
      reason: 'startFailed',
      message: expect.stringContaining('pg_control'),
    });
  });
});

describe.runIf(process.getuid?.() === 0)('as root, in a folder that other accounts cannot open,', () => {
  test('keeps temporary data in the folder', async () => {
    const outer = scratchFolder();
    cleanups.push(outer.remove);
    chmodSync(outer.path, 0o700);
    const dataDir = join(outer.path, 'data');
    const server = await start(options({ dataDir }));
    expect(await query(server.url, 'SHOW data_directory')).toEqual([join(dataDir, 'data')]);
  });

  test('keeps permanent data where the account can read them', async () => {
    const outer = mkdtempSync('/var/tmp/tickrate-closed-');
    cleanups.push(() => rmSync(outer, { recursive: true, force: true }));
    const lines: string[] = [];
    const given = options({ dataDir: join(outer, 'data'), onLog: (line) => lines.push(line) });
    const first = await start(given);
    const [place] = await query(first.url, 'SHOW data_directory');
    cleanups.unshift(() => rmSync(dirname(String(place)), { recursive: true, force: true }));
    expect(lines.some((line) => line.includes('closed to the server'))).toBe(true);
    expect(statSync(outer).mode & 0o777).toBe(0o700);
    await query(first.url, 'CREATE TABLE t AS SELECT 3 AS a');
    await first.stop();
    expect(await query((await start(given)).url, 'SELECT a FROM t')).toEqual([3]);
  });
});
