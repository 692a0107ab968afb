import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLedger } from '@tickrate/pipeline';
import { createRegistry } from '@tickrate/registry';
import { freshPostgres } from '@tickrate/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { standaloneConfig } from './config.ts';
import { runTickrate } from './tickrate.ts';

const { url } = await freshPostgres();
const folder = mkdtempSync(join(tmpdir(), 'tickrate-command-'));
const registry = createRegistry({ postgresUrl: url, now: Date.now, onFault: () => undefined });
let projectId = '';
let keys = { public: '', administrative: '' };

const level = { type: 'integer', format: 'int32', minimum: 1 };
const first = { type: 'object', properties: { level }, required: ['level'] };
const wider = { ...first, properties: { level, zone: { type: 'string' } } };
const narrower = { ...first, properties: { level: { ...level, minimum: 5 } } };

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
  test('gives a key for games and one for tools', async () => {
    expect((await registry.keys(projectId)).map(({ kind }) => kind)).toEqual(['public', 'administrative']);
    expect(Object.values(keys)).toEqual([
      expect.stringMatching(/^tk_pub_/),
      expect.stringMatching(/^tk_adm_/),
    ]);
  });

  test('refuses where there is a project', async () => {
    const { code, complaint } = await tickrate('first-project', 'Again');
    expect(code).toBe(1);
    expect(complaint).toBe(`tickrate: There is a project already: ${projectId} (Kart)\n`);
  });
});

describe('event-types declare', () => {
  test('declares, and says so again when nothing changed', async () => {
    const path = write('level_up', first);
    expect(await tickrate('event-types', 'declare', path)).toEqual(said('level_up: version 1 is declared\n'));
    expect(await tickrate('event-types', 'declare', path)).toEqual(
      said('level_up: version 1 is declared already\n'),
    );
  });

  test('tells the difference of a dry run and declares nothing', async () => {
    const { code, out } = await tickrate('event-types', 'declare', write('level_up', narrower), '--dry-run');
    expect(code).toBe(0);
    expect(out).toMatch(/^level_up: version 2 would be declared\n breaking +\/level +\w/);
    expect(await versions()).toEqual([1]);
  });

  test('refuses what is not compatible when that is asked for', async () => {
    const { code, out } = await tickrate(
      'event-types',
      'declare',
      write('level_up', narrower),
      '--compatible-only',
    );
    expect(code).toBe(1);
    expect(out).toMatch(/refused[\s\S]* breaking +\/level/);
    expect(await versions()).toEqual([1]);
    const compatible = await tickrate(
      'event-types',
      'declare',
      write('level_up', wider),
      '--compatible-only',
    );
    expect(compatible).toMatchObject({
      code: 0,
      out: expect.stringMatching(/version 2[\s\S]* compatible +\/zone/),
    });
  });

  test('points into the file at what is wrong, and goes on with the next one', async () => {
    const broken = write('broken', { type: 'object', properties: { a: { type: 'strin' } } });
    const { code, out } = await tickrate('event-types', 'declare', broken, write('fine', first));
    expect(code).toBe(1);
    expect(out).toMatch(
      /broken\.json: refused\n +\/declaration\/properties\/a\/type +\w[\s\S]*fine: version 1 is declared/,
    );
  });

  test('answers programs with JSON', async () => {
    const { out } = await tickrate('event-types', 'declare', write('level_up', wider), '--json');
    expect(JSON.parse(out)).toMatchObject({
      projectId,
      results: [{ name: 'level_up', ok: true, version: 2, unchanged: true }],
    });
  });

  test('asks which project is meant when there are several', async () => {
    const other = await registry.createProject({ name: 'Racer' });
    const path = write('fine', first);
    expect(await tickrate('event-types', 'declare', path)).toMatchObject({
      code: 1,
      complaint: expect.stringMatching(new RegExp(`--project ID.*${other.id} \\(Racer\\)`)),
    });
    expect(await tickrate('event-types', 'list', '--project', other.id)).toEqual(
      said(`Project ${other.id} declares no event types\n`),
    );
    const unknown = await tickrate('event-types', 'list', '--project', 'p-none');
    expect(unknown).toMatchObject({ code: 1, complaint: expect.stringContaining('no project p-none') });
  });
});

describe('the command', () => {
  test('tells the status before the first event', async () => {
    expect(await tickrate('status')).toEqual(said('No event has been accepted yet\n'));
  });

  test.each([
    [['frobnicate'], 'not a command'],
    [['status', 'now'], 'not a command'],
    [['event-types', 'declare'], 'FILE'],
    [['event-types', 'declare', '/nowhere.json'], '/nowhere.json cannot be read'],
    [['status', '--jsn'], '--jsn'],
    [['tail', '--count', '0'], '--count is at least 1'],
  ])('refuses %j', async (args, complaint) => {
    expect(await tickrate(...args)).toMatchObject({
      code: 64,
      complaint: expect.stringContaining(complaint),
    });
  });

  test('says what to do when there is nothing to work on', async () => {
    const nowhere = await run(['status', '--data', join(folder, 'none')], {});
    expect(nowhere).toMatchObject({ code: 69, complaint: expect.stringContaining('npm start') });
    const away = await run(['event-types', 'list'], { POSTGRES_URL: 'postgres://x:secret@127.0.0.1:1/x' });
    expect(away).toMatchObject({ code: 69, complaint: expect.stringContaining('npm start') });
    expect(away.complaint).not.toContain('secret');
  });

  test('tells a file that is named as the data folder, and does not fail on it', async () => {
    const file = join(folder, 'no-folder');
    writeFileSync(file, '');
    const doctor = await run(['doctor', '--data', file], {});
    expect(doctor).toMatchObject({ code: 1, out: expect.stringContaining(`${file} is a file`) });
    const status = await run(['status', '--data', file], {});
    expect(status).toMatchObject({ code: 69, complaint: expect.stringContaining('npm start') });
  });

  test.each([['doctor'], ['status'], ['query', 'SELECT 1']])(
    'tells in a line what cannot be read of the data folder: %j',
    async (...words) => {
      const closed = join(folder, 'closed');
      mkdirSync(join(closed, 'standalone.json'), { recursive: true });
      const { code, complaint } = await run([...words, '--data', closed], {});
      expect(code).toBe(69);
      expect(complaint).toMatch(/^tickrate: \S+standalone\.json cannot be read \(EISDIR\)[^\n]+\n$/);
    },
  );

  test('works on the folder that is named, whatever the environment says', async () => {
    const { complaint } = await tickrate('status', '--data', join(folder, 'none'));
    expect(complaint).toContain(join(folder, 'none', 'standalone.json'));
    mkdirSync(join(folder, 'installed'));
    writeFileSync(join(folder, 'installed', 'standalone.json'), JSON.stringify({ postgres: url, projectId }));
    const args = ['event-types', 'list', '--data', join(folder, 'installed')];
    const other = await run(args, { POSTGRES_URL: 'postgres://x@127.0.0.1:1/x' });
    expect(other).toMatchObject({ code: 0, complaint: '' });
  });

  test('names every setting that is not valid, and connects to nothing', async () => {
    const { code, out, complaint } = await run(['status'], { POSTGRES_URL: 'no', CLICKHOUSE_URL: 'ftp://x' });
    expect([code, out]).toEqual([78, '']);
    expect(complaint).toMatch(/^tickrate: [^\n]+\n {2}POSTGRES_URL [^\n]+\n {2}CLICKHOUSE_URL [^\n]+\n$/);
  });

  test('prints its help', async () => {
    expect(await tickrate('--help')).toMatchObject({
      code: 0,
      out: expect.stringContaining('event-types apply DIR'),
    });
    expect(await tickrate()).toMatchObject({ code: 64, out: expect.stringContaining('event-types declare') });
    const quarantine = await tickrate('quarantine', '--help');
    expect(quarantine).toMatchObject({ code: 0, out: expect.stringContaining('quarantine replay') });
    expect(quarantine.out).not.toContain('event-types declare');
    expect(await tickrate('quarantine')).toMatchObject({ code: 64, out: quarantine.out });
  });
});

describe('quarantine export', () => {
  test('prints everything that is kept of a project, a line each', async () => {
    const { id } = await registry.createProject({ name: 'Quarantined' });
    const ledger = createLedger({ postgresUrl: url });
    const job = { reason: 'unknown version', projectId: id, count: 1, raw: '{}' };
    const letters = ['0199aaaa-0000-7000-8000-000000000001', '0199aaaa-0000-7000-8000-000000000002'];
    for (const letter of letters) await ledger.buryJob({ id: letter, job: { ...job, id: letter } });
    await ledger.close();
    const { code, out } = await tickrate('quarantine', 'export', '--project', id);
    expect(code).toBe(0);
    const lines = out.trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line).id)).toEqual(letters.toReversed());
    const none = await tickrate('quarantine', 'export', '--project', id, '--kind', 'rejected');
    expect(none).toEqual(said(''));
    expect(await tickrate('quarantine', 'export', '--kind', 'x', '--project', id)).toMatchObject({
      code: 64,
    });
  });
});

function tickrate(...args: string[]) {
  return run(args, { POSTGRES_URL: url });
}

async function run(args: readonly string[], environment: Record<string, string>) {
  let out = '';
  let complaint = '';
  const code = await runTickrate(args, {
    readValues: () => ({ ...standaloneConfig.parse(environment), inherited: {} }),
    out: (text) => {
      out += text;
    },
    complain: (text) => {
      complaint += text;
    },
    readInput: async () => '',
    readSecret: async () => '',
    interactive: false,
    signal: new AbortController().signal,
    now: Date.now,
  });
  return { code, out, complaint };
}

function said(out: string) {
  return { code: 0, out, complaint: '' };
}

function write(name: string, declaration: unknown): string {
  const path = join(folder, `${name}.json`);
  writeFileSync(path, JSON.stringify({ name, declaration }));
  return path;
}

async function versions(): Promise<number[]> {
  const [eventType] = await registry.eventTypes(projectId);
  return eventType?.versions.map(({ version }) => version) ?? [];
}
