/** Programs that a machine may lack. */
export type Need = 'redis' | 'g++' | 'mono' | 'godot';

/** One measurement: a value and a reference, taken alternately in the same run. */
export interface Bench {
  readonly name: string;
  readonly unit: string;
  /** Describes the reference. */
  readonly against: string;
  readonly target: number;
  /** Whether the ratio should be at least or at most the target. */
  readonly better: 'higher' | 'lower';
  /** A requirement that a machine may lack. */
  readonly needs?: Need;
  /** Runs the rounds and closes everything that it opened. */
  run(report: (line: string) => void): Promise<readonly Round[]>;
}

export interface Round {
  readonly value: number;
  readonly limit: number;
}

export interface BenchResult {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  readonly limit: number;
  readonly ratio: number;
  readonly target: number;
}

/** Takes the rounds of a bench one after the other, numbered from 1. */
export async function takeRounds(count: number, take: (round: number) => Promise<Round>): Promise<Round[]> {
  const taken: Round[] = [];
  for (let round = 1; round <= count; round++) taken.push(await take(round));
  return taken;
}

/** The median of the rounds' ratios, with the medians of both sides. */
export function summarise(bench: Bench, rounds: readonly Round[]): BenchResult {
  return {
    name: bench.name,
    value: median(rounds.map(({ value }) => value)),
    unit: bench.unit,
    limit: median(rounds.map(({ limit }) => limit)),
    ratio: median(rounds.map(({ value, limit }) => value / limit)),
    target: bench.target,
  };
}

export function targetText({ better, target }: Pick<Bench, 'better' | 'target'>): string {
  return `${better === 'higher' ? '≥' : '≤'} ${target}`;
}

/** A line for each result that is not what its bench should reach. */
export function missedTargets(benches: readonly Bench[], results: readonly BenchResult[]): string[] {
  return results.flatMap(({ name, ratio, target }) => {
    const bench = benches.find((each) => each.name === name);
    if (bench === undefined) return [];
    const isMet = bench.better === 'higher' ? ratio >= target : ratio <= target;
    return isMet
      ? []
      : [
          `Missed: ${name} has ${ratio.toFixed(2)}, its target is ${targetText({ better: bench.better, target })}`,
        ];
  });
}

/** The value below which that share of the values lies. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? Number.NaN)) / 2;
}
