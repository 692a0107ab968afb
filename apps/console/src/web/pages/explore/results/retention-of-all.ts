export interface Cohort {
  /** The day of the first event. */
  readonly cohort: string;
  readonly players: number;
  /** By period after the first. */
  readonly returned: readonly number[];
}

/** By period, over the cohorts for which it is over: the others may still come back. Null while there is none. */
export function retentionOfAll(
  cohorts: readonly Cohort[],
  isOver: (cohort: string, period: number) => boolean,
): (number | null)[] {
  const periods = Math.max(0, ...cohorts.map(({ returned }) => returned.length));
  return Array.from({ length: periods }, (_, index) => {
    const over = cohorts.filter(({ cohort }) => isOver(cohort, index + 1));
    const players = over.reduce((sum, each) => sum + each.players, 0);
    const back = over.reduce((sum, { returned }) => sum + (returned[index] ?? 0), 0);
    return players === 0 ? null : back / players;
  });
}
