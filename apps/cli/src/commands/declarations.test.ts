import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { type Asked, runAgainst } from '../command-harness.ts';

const folder = mkdtempSync(join(tmpdir(), 'tickrate-declarations-'));
afterAll(() => rmSync(folder, { recursive: true }));

const declaration = { type: 'object', properties: { level: { type: 'integer' } } };
const change = { kind: 'breaking', pointer: '/level', change: 'narrowed', message: 'a higher minimum' };
const fault = { location: '/properties/a/type', message: 'is not a type', reason: 'x' };

function write(name: string, content: unknown): string {
  const path = join(folder, `${name}.json`);
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

/** Declares `level_up`, refuses `narrow` as breaking and `broken` for its faults. */
function answer({ body }: Asked) {
  const { declarations, dryRun } = body as { declarations: { name: string }[]; dryRun: boolean };
  const results = declarations.map(({ name }) => {
    if (name === 'narrow') return { declared: null, refused: { name, errors: [], changes: [change] } };
    if (name === 'broken') return { declared: null, refused: { name, errors: [fault], changes: [] } };
    const changes = dryRun ? [change] : [];
    return { declared: { name, version: 2, unchanged: false, dryRun, changes }, refused: null };
  });
  return { results };
}

test('declare sends every file in one call and prints each outcome', async () => {
  const files = ['level_up', 'narrow', 'broken'].map((name) => write(name, { name, declaration }));
  const { asked, code, out } = await runAgainst(answer, ['event-types', 'declare', ...files]);
  const sent = ['level_up', 'narrow', 'broken'].map((name) => ({ name, declaration }));
  expect(asked).toEqual([
    {
      method: 'POST',
      path: '/v1/declarations',
      body: { declarations: sent, dryRun: false, compatibleOnly: false },
    },
  ]);
  expect(code).toBe(1);
  expect(out).toMatch(
    /^level_up: version 2 declared\n\S+narrow\.json: refused\n breaking +\/level +a higher minimum\n\S+broken\.json: refused\n +\/properties\/a\/type +is not a type\n$/,
  );
});

test('a dry run prints what would change', async () => {
  const file = write('level_up', { name: 'level_up', declaration });
  const { out } = await runAgainst(answer, ['event-types', 'declare', file, '--dry-run']);
  expect(out).toMatch(/^level_up: version 2 would be declared\n breaking +\/level/);
});

test('check prints how many rejected events would be accepted, and the reasons for the others', async () => {
  const file = write('level_up', { name: 'level_up', declaration });
  const quarantined = {
    checked: 3,
    passed: 1,
    complete: false,
    versions: [
      { version: 1, events: 1 },
      { version: 2, events: 2 },
    ],
    refusals: [{ id: '01a1', reason: 'range', pointer: '/level', message: 'must be between 1 and 9' }],
  };
  const checked = () => ({ version: 2, texts: [], quarantined });
  const { asked, out } = await runAgainst(checked, ['event-types', 'check', file, '--reason', 'range']);
  expect(asked).toEqual([
    {
      method: 'POST',
      path: '/v1/event-types/level_up/check',
      body: { declaration, quarantined: { reason: 'range' } },
    },
  ]);
  expect(out).toBe(
    '1 of the newest 3 rejected events would pass as version 2\n' +
      '1 event names version 1: a replay checks it against that version\n' +
      ' 01a1  /level  must be between 1 and 9\n',
  );
});

test('if a file is invalid, nothing is declared and every fault is printed', async () => {
  const files = [
    write('one', '{"name":'),
    write('two', { name: 7 }),
    write('fine', { name: 'a', declaration }),
  ];
  const { asked, code, complaint } = await runAgainst(answer, ['event-types', 'declare', ...files]);
  expect([asked, code]).toEqual([[], 1]);
  expect(complaint).toMatch(
    /one\.json is not JSON[\s\S]*two\.json\/name must be[\s\S]*two\.json\/declaration/,
  );
});

test('apply declares a folder in the order of its names', async () => {
  const { asked } = await runAgainst(answer, ['event-types', 'apply', join(folder, '..', 'none-such')]);
  expect(asked).toEqual([]);
  const own = mkdtempSync(join(folder, 'own-'));
  for (const name of ['b', 'a']) {
    writeFileSync(join(own, `${name}.json`), JSON.stringify({ name, declaration }));
  }
  const applied = await runAgainst(answer, ['event-types', 'apply', own]);
  expect(applied.out).toBe('a: version 2 declared\nb: version 2 declared\n');
});

test('export writes a file for every type', async () => {
  const own = join(mkdtempSync(join(folder, 'out-')), 'types');
  const results = [{ name: 'level_up', description: null, declaration }];
  const { out } = await runAgainst(() => ({ results, next: null }), ['event-types', 'export', own]);
  const path = join(own, 'level_up.json');
  expect(out).toBe(`${path}\n`);
  expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual(results[0]);
});
