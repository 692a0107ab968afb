import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRegistry } from '@tickrate/registry';
import { freshPostgres } from '@tickrate/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runCommand } from './command-harness.ts';

const { url } = await freshPostgres();
const folder = mkdtempSync(join(tmpdir(), 'tickrate-command-'));
const registry = createRegistry({ postgresUrl: url, now: Date.now, onFault: () => undefined });
let projectId = '';
let keys = { public: '', administrative: '' };

beforeAll(async () => {
  expect(await tickrate('migrate')).toMatchObject({ code: 0, out: 'PostgreSQL: up to date\n' });
  const { code, out } = await tickrate('first-project', 'Kart', '--json');
  expect(code).toBe(0);
  ({ projectId, keys } = JSON.parse(out));
});
afterAll(async () => {
  await registry.close();
  rmSync(folder, { recursive: true });
});

describe('first-project', () => {
  test('creates a key for games and one for tools', async () => {
    expect((await registry.keys(projectId)).map(({ kind }) => kind)).toEqual(['public', 'administrative']);
    expect(Object.values(keys)).toEqual([
      expect.stringMatching(/^tk_pub_/),
      expect.stringMatching(/^tk_adm_/),
    ]);
  });

  test('is refused if a project exists', async () => {
    const { code, complaint } = await tickrate('first-project', 'Again');
    expect(code).toBe(1);
    expect(complaint).toBe(`tickrate: There is a project already: ${projectId} (Kart)\n`);
  });
});

describe('the command', () => {
  test.each([
    [['frobnicate'], 'not a command'],
    [['status', 'now'], 'one operand too many'],
    [['event-types', 'declare'], 'FILE'],
    [['event-types', 'declare', '/nowhere.json'], 'Cannot read /nowhere.json'],
    [['status', '--jsn'], '--jsn'],
    [['status', '--kind', 'dead'], '--kind'],
    [['quarantine', 'list', '--kind', 'x'], "--kind: expected rejected, dead, got 'x'"],
    [['tail', '--count', '0'], '--count is at least 1'],
  ])('refuses %j', async (args, complaint) => {
    const refused = await runCommand(args, { TICKRATE_URL: 'http://127.0.0.1:1', TICKRATE_KEY: 'x' });
    expect(refused).toMatchObject({ code: 64, complaint: expect.stringContaining(complaint) });
  });

  test('prints advice if no installation is found', async () => {
    const nowhere = await runCommand(['migrate', '--data', join(folder, 'none')], {});
    expect(nowhere).toMatchObject({ code: 69, complaint: expect.stringContaining('npm start') });
    const away = await runCommand(['first-project', 'x'], {
      POSTGRES_URL: 'postgres://x:secret@127.0.0.1:1/x',
    });
    expect(away).toMatchObject({ code: 69, complaint: expect.stringContaining('npm start') });
    expect(away.complaint).not.toContain('secret');
    const wrong = await runCommand(['migrate'], { POSTGRES_URL: `${url}-of-nobody` });
    expect(wrong).toMatchObject({
      code: 78,
      complaint: expect.stringMatching(/of-nobody.*: POSTGRES_URL needs.*\n$/),
    });
    const server = await runCommand(['status'], { TICKRATE_URL: 'http://127.0.0.1:1', TICKRATE_KEY: 'x' });
    expect(server).toMatchObject({ code: 69, complaint: expect.stringContaining('does not answer') });
  });

  test.each([['doctor'], ['status'], ['migrate'], ['query', 'SELECT 1']])(
    'reports a file that is named as the data folder: %j',
    async (...words) => {
      const file = join(folder, 'no-folder');
      writeFileSync(file, '');
      const { code, complaint } = await runCommand([...words, '--data', file], {});
      expect(code).toBe(69);
      expect(complaint).toBe(`tickrate: ${file} is a file, or is below one: name a folder with --data DIR\n`);
    },
  );

  test('reports a folder that cannot be made', async () => {
    const place = { TICKRATE_URL: 'http://127.0.0.1:1', TICKRATE_PUBLIC_KEY: 'x' };
    for (const closed of ['/proc/none', join(folder, 'none', 'below')]) {
      const signIn = await runCommand(['sign-in', '--email', 'a@b.example', '--data', closed], place);
      expect(signIn).toMatchObject({
        code: 64,
        complaint: expect.stringContaining(`cannot be kept in ${closed}`),
      });
    }
  });

  test.each([['doctor'], ['status'], ['query', 'SELECT 1']])(
    'reports in one line the part of the data folder that it cannot read: %j',
    async (...words) => {
      const closed = join(folder, 'closed');
      mkdirSync(join(closed, 'standalone.json'), { recursive: true });
      const { code, complaint } = await runCommand([...words, '--data', closed], {});
      expect(code).toBe(69);
      expect(complaint).toMatch(/^tickrate: Cannot read \S+standalone\.json \(EISDIR\)[^\n]+\n$/);
    },
  );

  test('uses the folder of --data in any environment', async () => {
    const { complaint } = await tickrate('migrate', '--data', join(folder, 'none'));
    expect(complaint).toContain(join(folder, 'none', 'standalone.json'));
    mkdirSync(join(folder, 'installed'));
    writeFileSync(join(folder, 'installed', 'standalone.json'), JSON.stringify({ postgres: url }));
    const args = ['migrate', '--data', join(folder, 'installed')];
    const other = await runCommand(args, { POSTGRES_URL: 'postgres://x@127.0.0.1:1/x' });
    expect(other).toMatchObject({ code: 0, complaint: '' });
  });

  test('names every setting that is not valid, and connects to nothing', async () => {
    const wrong = { POSTGRES_URL: 'no', CLICKHOUSE_URL: 'ftp://x' };
    const { code, out, complaint } = await runCommand(['status'], wrong);
    expect([code, out]).toEqual([78, '']);
    expect(complaint).toMatch(/^tickrate: [^\n]+\n {2}POSTGRES_URL [^\n]+\n {2}CLICKHOUSE_URL [^\n]+\n$/);
  });

  test('prints its help, of all commands, of a group and of one', async () => {
    expect(await tickrate('--help')).toMatchObject({
      code: 0,
      out: expect.stringContaining('event-types apply DIR'),
    });
    expect(await tickrate()).toMatchObject({ code: 64, out: expect.stringContaining('event-types declare') });
    const quarantine = await tickrate('quarantine', '--help');
    expect(quarantine).toMatchObject({ code: 0, out: expect.stringContaining('quarantine replay') });
    expect(quarantine.out).not.toContain('event-types declare');
    expect(await tickrate('quarantine')).toMatchObject({ code: 64, out: quarantine.out });
    const diff = await tickrate('event-types', 'diff', '--help');
    expect(diff.out).toMatch(/--from N +the older version/);
  });
});

function tickrate(...args: string[]) {
  return runCommand(args, { POSTGRES_URL: url });
}
