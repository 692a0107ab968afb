import { parseArgs } from 'node:util';
import { availableBackends } from '../tests/faults/fault-stack.ts';
import { growth, median } from '../tests/overload/memory-samples.ts';
import { type OverloadRun, runOverload } from '../tests/overload/run-overload.ts';

/** Runs the event path at a multiple of its capacity: `--seconds 60 --factor 5 --backend postgres --batch 100`. */
const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '60' },
    factor: { type: 'string', default: '5' },
    backend: { type: 'string', default: 'both' },
    connections: { type: 'string', default: '2000' },
    batch: { type: 'string', default: '100' },
  },
});
const wanted = values.backend === 'both' ? ['postgres', 'redis'] : [values.backend];
const backends = availableBackends().filter((backend) => wanted.includes(backend));
const failures: string[] = [];
for (const backend of backends) {
  console.log(`\nqueue on ${backend}`);
  const run = await runOverload({
    backend,
    seconds: Number(values.seconds),
    factor: Number(values.factor),
    connections: Number(values.connections),
    eventsPerRequest: Number(values.batch),
    report: (line) => console.log(line),
  });
  show(run);
  failures.push(...faultsOf(run).map((fault) => `${backend}: ${fault}`));
}
for (const failure of failures) console.log(failure);
const isRight = backends.length > 0 && failures.length === 0;
console.log(isRight ? 'refused in time, nothing lost, nothing doubled, memory flat' : 'WRONG');
process.exitCode = isRight ? 0 : 1;

function show({
  sustainable,
  offered,
  overload,
  memory,
  before,
  recoveredSeconds,
  comparison,
  drainedMs,
}: OverloadRun) {
  const perSecond = (count: number) => Math.round((count * 1_000) / overload.elapsedMs);
  console.table({
    'sustainable, events/s': Math.round(sustainable),
    'accepted before, events/s': Math.round(before),
    'offered, events/s': Math.round(offered),
    'accepted, events/s': perSecond(overload.events),
    'p50 of accepted, ms': Math.round(percentile(overload.latencies, 0.5)),
    'p99 of accepted, ms': Math.round(percentile(overload.latencies, 0.99)),
    refused: JSON.stringify(overload.refused),
    unanswered: overload.unanswered,
    'full speed after, s': recoveredSeconds,
    'all stored after, s': Math.round(drainedMs / 1_000),
    ...comparison,
  });
  console.table(
    Object.fromEntries(
      [...memory.bytes].map(([name, bytes]) => [
        name,
        {
          'median MiB': mib(median(bytes)),
          'most MiB': mib(Math.max(...bytes)),
          growth: growth(bytes).toFixed(2),
        },
      ]),
    ),
  );
}

function faultsOf(run: OverloadRun): string[] {
  const { offered, sustainable, overload, memory, recoveredSeconds, comparison, surprises } = run;
  const grown = [...memory.bytes].filter(([, bytes]) => hasGrown(bytes)).map(([name]) => name);
  const other = Object.keys(overload.refused).filter((code) => code !== '6001' && code !== '6002');
  const checks: readonly (readonly [boolean, string])[] = [
    [offered >= Number(values.factor) * sustainable, 'less was offered than was asked for'],
    [comparison.missing === 0, `${comparison.missing} accepted events are missing`],
    [comparison.doubled === 0, `${comparison.doubled} events are stored more than once`],
    [overload.withoutWait === 0, `${overload.withoutWait} refusals named no wait`],
    [other.length === 0, `answers with ${other.join(', ')}`],
    [percentile(overload.latencies, 0.99) < 1_000, 'the p99 of accepted requests is above 1 s'],
    [recoveredSeconds !== null && recoveredSeconds <= 10, 'not at full speed within 10 s'],
    [grown.length === 0, `memory grew: ${grown.join(', ')}`],
    [surprises.length === 0, surprises.join('; ')],
  ];
  return checks.filter(([isFine]) => !isFine).map(([, words]) => words);
}

/** By more than a backlog within its bounds, which Redis keeps in memory. */
function hasGrown(bytes: readonly number[]): boolean {
  return growth(bytes) > 1.25 && Math.max(...bytes) - Math.min(...bytes) > 64 * 1024 ** 2;
}

function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

function mib(bytes: number): number {
  return Math.round(bytes / 1024 ** 2);
}
