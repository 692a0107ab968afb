import { parseArgs } from 'node:util';
import { startProduct } from '../../tests/running-product.ts';
import {
  declareConformanceType,
  isKept,
  prepareSdk,
  runScenarios,
  type ScenarioResult,
} from './run-scenarios.ts';
import { bundleDriver, bundledDriver, missingPrograms, type TestedSdk, testedSdks } from './sdks.ts';

/* npm run test:clients -- --sdk typescript --minutes 5 --seed 7 */

const { values } = parseArgs({
  options: {
    sdk: { type: 'string' },
    minutes: { type: 'string', default: '0' },
    seed: { type: 'string' },
    size: { type: 'string', default: '3' },
    only: { type: 'string', default: '' },
    runtime: { type: 'string' },
  },
});

const say = (text: string) => process.stdout.write(`${text}\n`);
const chosen = testedSdks
  .map(inRuntime)
  .filter(({ name }) => values.sdk === undefined || values.sdk === name);
if (chosen.length === 0) {
  say(`Unknown SDK ${values.sdk}: expected one of ${testedSdks.map(({ name }) => name).join(', ')}`);
  process.exitCode = 64;
}
const runnable = chosen.filter((sdk) => {
  const missing = missingPrograms(sdk);
  if (missing.length > 0)
    say(`SKIPPED: ${sdk.name} (not on the PATH: ${missing.join(', ')}; see tools/install-toolchains.sh)`);
  return missing.length === 0;
});
if (runnable.length > 0) {
  const product = await startProduct();
  try {
    declareConformanceType(product);
    for (const sdk of runnable) {
      prepareSdk(sdk);
      if (!(await test(sdk))) process.exitCode = 1;
    }
  } finally {
    await product.stop();
  }

  async function test(sdk: (typeof runnable)[number]): Promise<boolean> {
    const untilMs = performance.now() + Number(values.minutes) * 60_000;
    const totals = { confirmed: 0, kills: 0, lost: 0, doubled: 0, wrong: 0 };
    let isPassed = true;
    let seed = Number(values.seed ?? Math.floor(Math.random() * 1e9));
    do {
      say(`${sdk.name}, seed ${seed}, on ${values.runtime ?? `Node ${process.version}`}`);
      const onResult = (result: ScenarioResult) => {
        say(describe(result));
        totals.confirmed += result.confirmed;
        totals.kills += result.kills;
        for (const kind of ['lost', 'doubled', 'wrong'] as const) totals[kind] += result[kind].length;
        isPassed &&= isKept(result);
      };
      await runScenarios(product, sdk, {
        seed,
        size: Number(values.size),
        only: ({ name }) => new RegExp(values.only).test(name),
        onResult,
      });
      seed++;
    } while (performance.now() < untilMs);
    const { confirmed, kills, lost, doubled, wrong } = totals;
    say(`${sdk.name}: ${confirmed} events, ${kills} kills, ${lost} lost, ${doubled} doubled, ${wrong} wrong`);
    return isPassed;
  }
}

/** The TypeScript SDK in another runtime, such as `bun` or `deno run -A`. Its driver becomes JavaScript. */
function inRuntime(sdk: TestedSdk): TestedSdk {
  const { runtime } = values;
  if (runtime === undefined || sdk.name !== 'typescript') return sdk;
  return { ...sdk, command: [...runtime.split(' '), bundledDriver], prepare: [...sdk.prepare, bundleDriver] };
}

function describe(result: ScenarioResult): string {
  const { scenario, confirmed, stored, kills, lost, doubled, wrong, seconds, notes, error } = result;
  const counts = `${confirmed} confirmed, ${stored} stored, ${kills} kills, ${lost.length} lost, ${doubled.length} doubled`;
  const faults = wrong.length > 0 ? `, ${wrong.length} wrong` : '';
  const noted = notes.map((note) => `\n     ${note}`).join('');
  return `${isKept(result) ? 'ok  ' : 'FAIL'} ${scenario}: ${counts}${faults}, ${seconds} s${noted}${error === null ? '' : `\n     ${error}`}`;
}
