export interface Cohort {
  /** The day of the first event. */
  readonly cohort: string;
  readonly players: number;
  /** By period after the first. */
  readonly returned: readonly number[];
}

/** By period, over the cohorts that have reached it: the others could not come back yet. Null while none has. */
export function retentionOfAll(
  cohorts: readonly Cohort[],
  isReached: (cohort: string, period: number) => boolean,
): (number | null)[] {
  const periods = Math.max(0, ...cohorts.map(({ returned }) => returned.length));
  return Array.from({ length: periods }, (_, index) => {
    const reached = cohorts.filter(({ cohort }) => isReached(cohort, index + 1));
    const players = reached.reduce((sum, each) => sum + each.players, 0);
    const back = reached.reduce((sum, { returned }) => sum + (returned[index] ?? 0), 0);
    return players === 0 ? null : back / players;
  });
}
