import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startDriver } from '../clients/conformance/driver.ts';
import { missingPrograms, type TestedSdk, testedSdks } from '../clients/conformance/sdks.ts';
import { type Bench, type Need, takeRounds } from './bench.ts';

const rounds = 5;
const frames = { do: 'frames', count: 400, perFrame: 50 };
// Nothing listens on port 9, so nothing is sent.
const options = { url: 'http://127.0.0.1:9', key: 'tk_pub_x', principal: 'key', consent: 'granted' };

/** `track()` in the driver of an SDK, with its write to a file, against the budget of its README. */
function sdkBench(name: string, { budgetUs, needs }: { budgetUs: number; needs: Need }): Bench {
  return {
    name: `sdk.${name}`,
    unit: 'µs (median call)',
    against: `the budget of ${budgetUs} µs`,
    target: 1,
    better: 'lower',
    needs,
    async run(report) {
      const { prepare, command } = sdkOf(name);
      for (const [program = '', ...args] of prepare) execFileSync(program, args);
      return takeRounds(rounds, async () => {
        const { p50us, p99us, bytes } = await measure(command);
        report(`${p50us} µs, 99th percentile ${p99us} µs${bytes}`);
        return { value: p50us, limit: budgetUs };
      });
    },
  };
}

async function measure(command: readonly string[]) {
  const folder = mkdtempSync(join(tmpdir(), 'tickrate-bench-'));
  const driver = startDriver(command, new Set());
  await driver.ask({ do: 'open', run: 'bench', folder, ...options });
  // The first frames may be compiled while they run.
  await driver.ask({ ...frames, count: 40 });
  const { p50us, p99us, allocated } = await driver.ask(frames);
  await driver.kill();
  rmSync(folder, { recursive: true, force: true });
  const perEvent = Number(allocated) / (frames.count * frames.perFrame);
  const bytes = Number.isFinite(perEvent) ? `, ${perEvent.toFixed(1)} B of garbage per event` : '';
  return { p50us: Number(p50us), p99us: Number(p99us), bytes };
}

function sdkOf(name: string): TestedSdk {
  const sdk = testedSdks.find((each) => each.name === name);
  if (!sdk) throw new Error(`unknown SDK ${name}`);
  return sdk;
}

/** Whether the toolchain of an SDK is on the PATH. */
export function hasToolchainOf(name: string): boolean {
  return missingPrograms(sdkOf(name)).length === 0;
}

export const sdkCpp = sdkBench('cpp', { budgetUs: 0.3, needs: 'g++' });
export const sdkCsharp = sdkBench('csharp', { budgetUs: 3, needs: 'mono' });
export const sdkGodot = sdkBench('godot', { budgetUs: 12, needs: 'godot' });
