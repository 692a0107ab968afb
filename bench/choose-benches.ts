import type { Bench, Need } from './bench.ts';

const absent: Readonly<Record<Need, string>> = {
  redis: 'no redis-server or valkey-server on the PATH',
  'g++': 'no g++ on the PATH',
  mono: 'no mono and mcs on the PATH',
  godot: 'no godot 4 on the PATH',
};

export interface Choice {
  readonly chosen: readonly Bench[];
  /** Names of no bench and no group. */
  readonly unknown: readonly string[];
  /** The benches that this machine cannot run, each with the reason. */
  readonly leftOut: readonly string[];
}

/** Selects benches by name or by group (`queue.bytes`). Without names, all of them. */
export function chooseBenches(
  benches: readonly Bench[],
  { names, missing }: { readonly names: readonly string[]; readonly missing: readonly Need[] },
): Choice {
  const namedBy = (name: string) => {
    const ofName = benches.filter((bench) => bench.name === name);
    return ofName.length > 0 ? ofName : benches.filter((bench) => bench.name.startsWith(`${name}.`));
  };
  const wanted =
    names.length === 0
      ? benches
      : benches.filter((bench) => names.some((name) => namedBy(name).includes(bench)));
  const leftOut = missing.flatMap((need) => {
    const left = wanted.filter(({ needs }) => needs === need);
    return left.length === 0
      ? []
      : [`Left out (${absent[need]}): ${left.map(({ name }) => name).join(', ')}`];
  });
  return {
    chosen: wanted.filter(({ needs }) => needs === undefined || !missing.includes(needs)),
    unknown: names.filter((name) => namedBy(name).length === 0),
    leftOut,
  };
}
