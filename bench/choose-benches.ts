import type { Bench } from './bench.ts';

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
  { names, hasRedis }: { readonly names: readonly string[]; readonly hasRedis: boolean },
): Choice {
  const namedBy = (name: string) => {
    const ofName = benches.filter((bench) => bench.name === name);
    return ofName.length > 0 ? ofName : benches.filter((bench) => bench.name.startsWith(`${name}.`));
  };
  const wanted =
    names.length === 0
      ? benches
      : benches.filter((bench) => names.some((name) => namedBy(name).includes(bench)));
  const left = hasRedis ? [] : wanted.filter(({ needs }) => needs === 'redis');
  const why = 'no redis-server or valkey-server on the PATH';
  return {
    chosen: wanted.filter((bench) => !left.includes(bench)),
    unknown: names.filter((name) => namedBy(name).length === 0),
    leftOut: left.length === 0 ? [] : [`Left out (${why}): ${left.map(({ name }) => name).join(', ')}`],
  };
}
