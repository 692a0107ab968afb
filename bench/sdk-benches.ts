import { execFileSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Bench, median, type Round, takeRounds } from './bench.ts';

const sdk = join(import.meta.dirname, '../clients/typescript');
const rounds = 5;
const events = 20_000;

/** The part of the built package that this file uses. */
interface Sdk {
  readonly Tickrate: {
    open(options: object): Promise<{ track(event: object): boolean; close(options: object): Promise<void> }>;
  };
}

/** `track()` of Node, with its write to a file, against the same bytes written by hand. */
export const sdkTrack: Bench = {
  name: 'sdk.track',
  unit: 'µs (median call)',
  against: 'JSON.stringify and writeSync of the same event',
  target: 3,
  better: 'lower',
  async run(report) {
    buildSdk();
    const { Tickrate } = (await import(join(sdk, 'dist/node.js'))) as Sdk;
    return takeRounds(rounds, async () => {
      const folder = mkdtempSync(join(tmpdir(), 'tickrate-bench-'));
      // Nothing listens on port 9, so nothing is sent.
      const options = {
        url: 'http://127.0.0.1:9',
        key: 'tk_pub_x',
        account: 'key',
        consent: 'granted',
        folder,
      };
      const client = await Tickrate.open(options);
      const value = await timeOf((n) => client.track(eventOf(n)));
      await client.close({ timeoutMs: 0 });
      const file = openSync(join(folder, 'by-hand'), 'w');
      const limit = await timeOf((n) => writeSync(file, `${JSON.stringify(eventOf(n))}\n`));
      closeSync(file);
      rmSync(folder, { recursive: true, force: true });
      report(`${value.toFixed(1)} µs, by hand ${limit.toFixed(1)} µs`);
      return { value, limit };
    });
  },
};

const budgets: Readonly<Record<string, number>> = { 'core.js': 4_096, 'browser.js': 7_168 };

/** The builds for web pages, against their budgets. */
export const sdkTypescript: Bench = {
  name: 'sdk.typescript',
  unit: 'bytes (gzip, core)',
  against: 'the budget of 4 KB; 7 KB with sign-in',
  target: 1,
  better: 'lower',
  async run(report) {
    const sizes = [...buildSdk().matchAll(/^(\S+)\s+\d+ B\s+(\d+) B gz$/gm)];
    const rounds = sizes.flatMap(([, name = '', bytes]): Round[] => {
      const limit = budgets[name];
      report(`${name} ${bytes} B gzip${limit === undefined ? '' : `, budget ${limit} B`}`);
      return limit === undefined ? [] : [{ value: Number(bytes), limit }];
    });
    return rounds.filter(({ limit }) => limit === budgets['core.js']);
  },
};

export function buildSdk(): string {
  return execFileSync(process.execPath, [join(sdk, 'build.ts')], { encoding: 'utf8' });
}

function eventOf(n: number) {
  return {
    eventType: 'level_up',
    eventTypeVersion: 1,
    event: { level: n, character: 'ranger', score: n * 3 },
  };
}

/** Median microseconds of a call. Other work runs between frames of 50 calls, as in a game. */
async function timeOf(call: (n: number) => unknown): Promise<number> {
  const times: number[] = [];
  for (let n = 0; n < events; n++) {
    const before = performance.now();
    call(n);
    times.push((performance.now() - before) * 1000);
    if (n % 50 === 0) await new Promise(setImmediate);
  }
  return median(times);
}
