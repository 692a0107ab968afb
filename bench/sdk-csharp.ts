import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startDriver } from '../clients/conformance/driver.ts';
import { testedSdks } from '../clients/conformance/sdks.ts';
import type { Bench, Round } from './bench.ts';

const rounds = 5;
const frames = { do: 'frames', count: 400, perFrame: 50 };
/** Of clients/csharp/README.md. */
const budgetUs = 3;

export function hasMono(): boolean {
  return ['mono', 'mcs'].every((program) => spawnSync(program, ['--version']).status === 0);
}

/** `Track()` of a struct on Mono, with its write to a file, against its budget. */
export const sdkCsharp: Bench = {
  name: 'sdk.csharp',
  unit: 'µs (median call)',
  against: `the budget of ${budgetUs} µs`,
  target: 1,
  better: 'lower',
  needs: 'mono',
  async run(report) {
    const sdk = testedSdks.find(({ name }) => name === 'csharp');
    for (const [program = '', ...args] of sdk?.prepare ?? []) execFileSync(program, args);
    const measured: Round[] = [];
    for (let round = 0; round < rounds; round++) {
      const folder = mkdtempSync(join(tmpdir(), 'tickrate-bench-'));
      const driver = startDriver(sdk?.command ?? [], new Set());
      // Nothing listens on port 9, so nothing is sent.
      const options = { url: 'http://127.0.0.1:9', key: 'tk_pub_x', principal: 'key', consent: 'granted' };
      await driver.ask({ do: 'open', run: 'bench', folder, ...options });
      // The first frames are compiled while they run.
      await driver.ask({ ...frames, count: 40 });
      const { p50us, p99us, allocated } = await driver.ask(frames);
      await driver.kill();
      rmSync(folder, { recursive: true, force: true });
      const bytes = Number(allocated) / (frames.count * frames.perFrame);
      report(`${p50us} µs, 99th percentile ${p99us} µs, ${bytes.toFixed(1)} B of garbage per event`);
      measured.push({ value: Number(p50us), limit: budgetUs });
    }
    return measured;
  },
};
