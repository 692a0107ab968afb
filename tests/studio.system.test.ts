import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findFreePorts, killProcessesOf, type StandaloneRun, startStandaloneWith } from './standalone-run.ts';

const parent = mkdtempSync(join(tmpdir(), 'tickrate-studio-'));
const folder = join(parent, 'data');
let run: StandaloneRun;

beforeAll(async () => {
  // Nothing is queued any more when the example erases.
  run = startStandaloneWith({ ERASURE_MARGIN: '0s' }, folder, '--port', String(await findFreePorts()));
  await run.ready();
});
afterAll(async () => {
  run.process.kill('SIGTERM');
  await run.exit();
  killProcessesOf(parent);
  rmSync(parent, { recursive: true, force: true });
});

async function playScript(): Promise<{ code: unknown; output: string }> {
  const script = join(import.meta.dirname, '..', 'examples', 'studio.sh');
  const child = spawn('bash', [script, folder], { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part: Buffer) => (output += part));
  const [code] = await once(child, 'close');
  return { code, output };
}

// Invariant (Tools): A studio's first day works from the command line, including erasure
test('the first day of a studio goes as the example shows it', async () => {
  const { code, output } = await playScript();
  expect({ code, output }).toMatchObject({ code: 0 });
  expect(output).toContain('Everything required is there.');
  expect(output).toMatch(/boss_fought: version 1 would be declared[\s\S]*boss_fought: version 1 declared/);
  expect(output).toMatch(/boss_fought: version 2 declared\n compatible +\/boss +now accepted: lich/);
  expect(output).toMatch(/item_bought\.json: refused\n +\/nickname[^\n]*\n +\/shop/);
  expect(output).toMatch(/boss +fights +won +party\ndragon +1 +0\nlich +1 +1\nspider +1 +1\n/);
  expect(output).toMatch(/bo@example\.com is invited as viewer until \d/);
  expect(output).toContain('step  players\n1     2\n2     2\n3     1\n');
  const funnel = /^\{"results":.*\}$/m.exec(output)?.[0] ?? '';
  expect(JSON.parse(funnel).results).toEqual([
    { step: 1, players: 2 },
    { step: 2, players: 2 },
    { step: 3, players: 1 },
  ]);
  expect(output).toContain('1 replayed, 0 still refused');
  expect(output).toMatch(/u-\w+ \(Bo\) is banned until \S+: aimbot/);
  expect(output).toMatch(/"state":"done"/);
  expect(output).toMatch(/of_ada\n0\n/);
}, 120_000);
