import type { Bench } from './bench.ts';

export interface Choice {
  readonly chosen: readonly Bench[];
  /** Names that are neither of a bench nor of a group. */
  readonly unknown: readonly string[];
  /** What is left out since this machine has not what it needs, in words. */
  readonly leftOut: readonly string[];
}

/** By name, or by the name of a group (`queue.bytes`); all of them without any. */
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
