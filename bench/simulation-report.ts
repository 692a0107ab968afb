import { parseArgs } from 'node:util';
import { costs, parts } from './event-costs.ts';
import { firstFull, type Loss, partNames, simulate, sizesFor, utilisationOf } from './simulate.ts';

const losses: Readonly<Record<Loss, string>> = {
  none: 'nothing lost',
  worker: 'a worker lost',
  shard: 'a queue shard lost for 20 s',
};

/** `--rate 1000000`, and the processes of a part where they should differ: `--worker 3`. */
export function simulationReport(args: readonly string[]): string {
  const options = { rate: 'rate', ...Object.fromEntries(partNames.map((part) => [part, part])) };
  const { values } = parseArgs({
    args: [...args],
    options: Object.fromEntries(Object.keys(options).map((name) => [name, { type: 'string' as const }])),
  });
  const rate = numberOf('rate', values['rate'] ?? '1000000');
  const sizes = { ...sizesFor(rate) };
  for (const part of partNames) sizes[part] = numberOf(part, values[part] ?? String(sizes[part]));
  const first = firstFull(rate, sizes);
  const tables = [
    ['part', 'processes', 'cores each', 'use'],
    ...partNames.map((part) => [
      part,
      String(sizes[part]),
      String(parts[part].cores),
      `${Math.round(100 * utilisationOf(part, { rate, count: sizes[part] }))} %`,
    ]),
    [],
    ['case', 'not stored, mean', 'most', 'delay p50', 'p99', 'most', 'ordinary after'],
    ...(Object.keys(losses) as Loss[]).map((loss) => {
      const { depth, delayMs, backAfterMs } = simulate(rate, sizes, loss);
      const back = backAfterMs === null ? 'never' : seconds(backAfterMs);
      const after = loss === 'none' && backAfterMs !== null ? '' : back;
      const delays = [delayMs.p50, delayMs.p99, delayMs.most].map(seconds);
      return [losses[loss], count(depth.mean), count(depth.most), ...delays, after];
    }),
  ];
  const gigabytes = (rate * 86_400 * costs.disk.value) / 1e9;
  return [
    `${count(rate)} events/s in batches of 100`,
    '',
    ...tables.map((cells) =>
      cells
        .map((cell, at) => cell.padEnd(at === 0 ? 30 : 17))
        .join('')
        .trimEnd(),
    ),
    '',
    `Saturates first: ${first.part}, at ${count(first.full)} events/s`,
    `Disk of one copy: ${count(gigabytes)} GB a day`,
    '',
  ].join('\n');
}

function numberOf(name: string, text: string): number {
  const number = Number(text);
  if (!Number.isInteger(number) || number < 1) {
    throw new Error(`Invalid --${name}: expected an integer from 1, got '${text}'`);
  }
  return number;
}

function count(value: number): string {
  return Math.round(value).toLocaleString('en');
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(2)} s`;
}
