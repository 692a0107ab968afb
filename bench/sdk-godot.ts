import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startDriver } from '../clients/conformance/driver.ts';
import { missingPrograms, testedSdks } from '../clients/conformance/sdks.ts';
import type { Bench, Round } from './bench.ts';

const rounds = 5;
const frames = { do: 'frames', count: 400, perFrame: 50 };
/** Of clients/godot/README.md. */
const budgetUs = 12;

export function hasGodot(): boolean {
  return missingPrograms({ needs: ['godot 4'] }).length === 0;
}

/** `track()` of a generated class in Godot, with its write to a file, against its budget. */
export const sdkGodot: Bench = {
  name: 'sdk.godot',
  unit: 'µs (median call)',
  against: `the budget of ${budgetUs} µs`,
  target: 1,
  better: 'lower',
  needs: 'godot',
  async run(report) {
    const sdk = testedSdks.find(({ name }) => name === 'godot');
    const measured: Round[] = [];
    for (let round = 0; round < rounds; round++) {
      const folder = mkdtempSync(join(tmpdir(), 'tickrate-bench-'));
      const driver = startDriver(sdk?.command ?? [], new Set());
      // Nothing listens on port 9, so nothing is sent.
      const options = { url: 'http://127.0.0.1:9', key: 'tk_pub_x', principal: 'key', consent: 'granted' };
      await driver.ask({ do: 'open', run: 'bench', folder, ...options });
      await driver.ask({ ...frames, count: 40 });
      const { p50us, p99us } = await driver.ask(frames);
      await driver.kill();
      rmSync(folder, { recursive: true, force: true });
      report(`${p50us} µs, 99th percentile ${p99us} µs`);
      measured.push({ value: Number(p50us), limit: budgetUs });
    }
    return measured;
  },
};
