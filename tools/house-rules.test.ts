import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, extname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { behaviourCases, boundaryCases, type RuleCase } from './house-rules.cases.ts';
import { styleCases } from './house-style.cases.ts';

const root = join(import.meta.dirname, '..');
const ruleCases = [...boundaryCases, ...behaviourCases, ...styleCases];
const names = new Map<string, number>();
const placed = ruleCases.map((ruleCase) => ({
  ruleCase,
  broken: ruleCase.brokenIn.map(uniquePath),
  allowed: (ruleCase.allowedIn ?? []).map(uniquePath),
}));

let folder = '';
let findings = new Map<string, Set<string>>();

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tickrate-house-rules-'));
  await cp(join(root, 'biome.json'), join(folder, 'biome.json'));
  await cp(join(root, 'tools/lint'), join(folder, 'tools/lint'), { recursive: true });
  await place('package.json', '{ "name": "house" }');
  await place('apps/cycle/package.json', '{ "name": "cycle" }');
  await place('apps/cycle/src/cycle-a.ts', "export { y as x } from './cycle-b.ts';\n");
  for (const { ruleCase, broken, allowed } of placed) {
    for (const path of [...broken, ...allowed]) await place(path, ruleCase.code);
  }
  findings = await lint(await pluginsByMessage());
}, 60_000);

afterAll(() => rm(folder, { recursive: true, force: true }));

// Invariant (Tools): The repository's lint rules work
describe('the linter', () => {
  for (const { ruleCase, broken, allowed } of placed) {
    for (const path of broken) {
      test(`${ruleCase.rule} fires in ${path} on ${firstLine(ruleCase)}`, () => {
        expect([...(findings.get(path) ?? [])]).toContain(ruleCase.rule);
      });
    }
    for (const path of allowed) {
      test(`${ruleCase.rule} is silent in ${path} on ${firstLine(ruleCase)}`, () => {
        expect([...(findings.get(path) ?? [])]).not.toContain(ruleCase.rule);
      });
    }
  }

  test('has a case that breaks each boundary plugin, and runs no plugin that does not exist', async () => {
    const configured = JSON.parse(await readFile(join(root, 'biome.json'), 'utf8')).plugins.map(
      (plugin: { path: string }) => basename(plugin.path, '.grit'),
    );
    const existing = (await readdir(join(root, 'tools/lint'))).map((name) => basename(name, '.grit'));
    const proven = new Set(ruleCases.filter((each) => each.brokenIn.length > 0).map((each) => each.rule));
    expect(configured.toSorted()).toEqual(existing.toSorted());
    expect(configured.filter((name: string) => !proven.has(name))).toEqual([]);
  });
});

/** The same place may be used by many cases: `route.ts`, `route-2.ts`, … A suffix such as `.pg.test.ts` stays. */
function uniquePath(path: string): string {
  const count = (names.get(path) ?? 0) + 1;
  names.set(path, count);
  if (count === 1) return path;
  const name = basename(path);
  const stem = name.slice(0, name.indexOf('.'));
  // The rule knows these by their whole name, so another workspace has them.
  if (/^(?:main|.*-main|config|app)$/.test(stem)) return path.replace(/^\w+\/\w+/, `$&-${count}`);
  return join(dirname(path), `${stem}-${count}${name.slice(stem.length)}`);
}

async function place(path: string, text: string): Promise<void> {
  await mkdir(join(folder, dirname(path)), { recursive: true });
  await writeFile(join(folder, path), text);
}

async function pluginsByMessage(): Promise<Map<string, string>> {
  const plugins = new Map<string, string>();
  for (const file of await readdir(join(root, 'tools/lint'))) {
    const text = await readFile(join(root, 'tools/lint', file), 'utf8');
    plugins.set(text.match(/message\s*=\s*"([^"]+)"/)?.[1] ?? '', basename(file, extname(file)));
  }
  return plugins;
}

/** The rules that reported each file. */
async function lint(plugins: ReadonlyMap<string, string>): Promise<Map<string, Set<string>>> {
  const program = join(root, 'node_modules/.bin/biome');
  const options = ['lint', '--vcs-enabled=false', '--reporter=json', '--max-diagnostics=none', '.'];
  const output = await new Promise<string>((resolve) => {
    execFile(program, options, { cwd: folder, maxBuffer: 1 << 26 }, (_fault, stdout) => resolve(stdout));
  });
  const found = new Map<string, Set<string>>();
  for (const { category, message, location } of JSON.parse(output).diagnostics) {
    const rule = category === 'plugin' ? plugins.get(message) : category.replace('lint/', '');
    found.set(location.path, (found.get(location.path) ?? new Set()).add(rule));
  }
  return found;
}

function firstLine(ruleCase: RuleCase): string {
  return ruleCase.code.slice(0, ruleCase.code.indexOf('\n'));
}
