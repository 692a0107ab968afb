import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { StateFile } from './state-file.ts';

const processes = 4;
const saves = 50;
let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tickrate-state-'));
  writeFileSync(join(folder, 'state.json'), '{"consent":"granted","installation":"0a1b2c3d","losses":{}}');
});
afterEach(() => rmSync(folder, { recursive: true }));

test('what several processes save at the same moment all stays', async () => {
  const program = `
    import { randomBytes } from 'node:crypto';
    import { StateFile } from ${JSON.stringify(join(import.meta.dirname, 'state-file.ts'))};
    const file = new StateFile(${JSON.stringify(folder)}, (bytes) => randomBytes(bytes).toString('hex'));
    const add = (known) => ({ ...known, losses: { torn: (known.losses.torn ?? 0) + 1 } });
    for (let n = 0; n < ${saves}; n++) await file.updateAlone(add);`;
  const run = () => promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program]);
  await Promise.all(Array.from({ length: processes }, run));
  expect(JSON.parse(readFileSync(join(folder, 'state.json'), 'utf8')).losses).toEqual({
    torn: processes * saves,
  });
  expect(readdirSync(folder)).toEqual(['state.json']);
}, 30_000);

test('a lock that a killed process left holds nobody', async () => {
  const lock = join(folder, 'state.lock');
  writeFileSync(lock, 'left');
  const soon = Date.now() / 1000 + 1;
  utimesSync(lock, soon, soon);
  const file = new StateFile(folder, (bytes) => 'ab'.repeat(bytes));
  const deny = () => file.updateAlone((known) => ({ ...state(), ...known, consent: 'denied' }));
  // A young one may belong to a process that saves: it waits for a moment, and then goes without it.
  expect((await deny()).consent).toBe('denied');
  expect(readFileSync(lock, 'utf8')).toBe('left');
  utimesSync(lock, 1_700_000_000, 1_700_000_000);
  await deny();
  expect(readdirSync(folder)).toEqual(['state.json']);
});

function state() {
  const none = { device: null, deviceAccount: null, deviceRequest: null };
  return { consent: 'granted' as const, installation: '0a1b2c3d', ...none, losses: {} };
}
