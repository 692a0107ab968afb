import { cpus, totalmem } from 'node:os';
import { readTestServicesConfig } from '@tickrate/testkit';
import { type Bench, type BenchResult, missedTargets, type Need, targetText } from './bench.ts';
import { byHandBenches, byHandKilled } from './by-hand.ts';
import { chooseBenches } from './choose-benches.ts';
import { gatewayBatch, gatewaySingle, gatewaySingleRedis } from './gateway.ts';
import { growthBacklog, growthKeys, growthProjects, growthTypes } from './growth.ts';
import { managementLatency, managementReach } from './management.ts';
import { closeAllOpened } from './opened.ts';
import { pacedBenches } from './paced.ts';
import { pipelineFreshness } from './pipeline-freshness.ts';
import { pipelineStored, pipelineStoredRedis } from './pipeline-stored.ts';
import { createQueryBenches } from './queries.ts';
import { queueBytesPostgres, queueBytesRedis } from './queue-bytes.ts';
import { runBenches } from './run-benches.ts';
import { scaleBenches } from './scale.ts';
import { sdkTrack, sdkTypescript } from './sdk-benches.ts';
import { hasToolchainOf, sdkCpp, sdkCsharp, sdkGodot } from './sdk-drivers.ts';
import { sdkServer } from './sdk-server.ts';
import { authPassword } from './sign-in-by-password.ts';
import { authToken } from './sign-in-by-token.ts';
import { simulationReport } from './simulation-report.ts';
import { start } from './start.ts';
import { workerCpu, workerRss } from './worker-cost.ts';

// A calculation, and no bench: it measures nothing.
if (process.argv[2] === 'simulate') {
  process.stdout.write(simulationReport(process.argv.slice(3)));
  process.exit();
}

/** Of the benches `query.*`: `--events=500000` takes half a minute instead of ten. */
const queryEvents = numberOf('--events=', 20_000_000);
const benches: readonly Bench[] = [
  gatewayBatch,
  gatewaySingle,
  gatewaySingleRedis,
  pipelineStored,
  pipelineStoredRedis,
  pipelineFreshness,
  queueBytesRedis,
  queueBytesPostgres,
  workerCpu,
  workerRss,
  start,
  growthTypes,
  growthProjects,
  growthKeys,
  growthBacklog,
  managementLatency,
  managementReach,
  ...pacedBenches,
  ...byHandBenches,
  byHandKilled,
  ...createQueryBenches(queryEvents),
  ...scaleBenches,
  authPassword,
  authToken,
  sdkTrack,
  sdkTypescript,
  sdkServer,
  sdkCpp,
  sdkCsharp,
  sdkGodot,
];
if (process.argv.includes('--help')) {
  const all = benches.map(({ name }) => `  ${name}`).join('\n');
  process.stdout.write(
    `npm run bench -- [simulate | names or groups, or all] [--json] [--strict] [--events=N]\n${all}\n`,
  );
  process.exit();
}
const names = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
const asJson = process.argv.includes('--json');
const missing: readonly Need[] = [
  ...(readTestServicesConfig().redisProgram === null ? (['redis'] as const) : []),
  ...(hasToolchainOf('cpp') ? [] : (['g++'] as const)),
  ...(hasToolchainOf('csharp') ? [] : (['mono'] as const)),
  ...(hasToolchainOf('godot') ? [] : (['godot'] as const)),
];
const { chosen, unknown, leftOut } = chooseBenches(benches, { names, missing });
if (unknown.length > 0) {
  process.stderr.write(
    `No bench or group is named ${unknown.join(', ')}. There are: ${benches.map(({ name }) => name).join(', ')}\n`,
  );
  process.exit(2);
}
for (const line of leftOut) process.stderr.write(`${line}\n`);

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void closeAllOpened().then(() => process.exit(1)));
}

const note = (line: string) => {
  if (!asJson) console.log(line);
};
const [cpu] = cpus();
note(
  `${cpu?.model.trim()} × ${cpus().length}, ${Math.round(totalmem() / 1024 ** 3)} GiB, Node ${process.version}`,
);
const results: BenchResult[] = [];
const isWell = await runBenches(chosen, {
  note,
  result(result) {
    results.push(result);
    if (asJson) console.log(JSON.stringify(result));
  },
  fault({ name }, fault) {
    process.stderr.write(`${name} failed: ${fault instanceof Error ? fault.stack : String(fault)}\n`);
  },
});
const missed = missedTargets(chosen, results);
const isStrict = process.argv.includes('--strict');
process.exitCode = isWell && (missed.length === 0 || !isStrict) ? 0 : 1;
note('');
const widths = [24, 12, 14, 12, 8] as const;
const row = (...cells: readonly string[]) =>
  note(
    cells
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('')
      .trimEnd(),
  );
row('bench', 'value', 'unit', 'limit', 'ratio', 'target');
for (const { name, value, unit, limit, ratio, target } of results) {
  const { better } = benches.find((bench) => bench.name === name) ?? { better: 'higher' as const };
  row(name, figure(value), unit, figure(limit), ratio.toFixed(2), targetText({ better, target }));
}
for (const line of missed) process.stderr.write(`${line}\n`);

function figure(value: number): string {
  return value >= 100 ? String(Math.round(value)) : value.toPrecision(3);
}

function numberOf(option: string, fallback: number): number {
  const given = process.argv.find((argument) => argument.startsWith(option))?.slice(option.length);
  return Number(given ?? fallback);
}
