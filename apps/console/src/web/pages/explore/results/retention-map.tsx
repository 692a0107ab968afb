import type { ReactNode } from 'react';
import { HeatMap } from '../../../charts/heat-map.tsx';
import { useFormats } from '../../../layout/use-time.ts';
import { useTexts } from '../../../texts/use-texts.ts';
import { nowMs } from '../../../time/clock.ts';
import { exploreTexts } from '../explore-texts.ts';

interface RetentionMapProps {
  readonly label: string;
  readonly per: 'day' | 'week';
  readonly cohorts: readonly Cohort[];
  /** "Players behind this". */
  readonly onOpen?: (cohort: string, period: number) => void;
}

const dayMs = 86_400_000;

/** How many players of each first day came back, below a row for all of them. */
export function RetentionMap({ label, per, cohorts, onOpen }: RetentionMapProps): ReactNode {
  const texts = useTexts(exploreTexts);
  const formats = useFormats();
  const shortName = per === 'week' ? texts.periodWeekShort : texts.periodDayShort;
  const periods = Math.max(...cohorts.map(({ returned }) => returned.length));
  const heads = Array.from({ length: periods }, (_, index) => shortName(String(index + 1)));
  const lengthMs = (per === 'week' ? 7 : 1) * dayMs;
  const periodsSince = (cohort: string) => Math.floor((nowMs() - Date.parse(cohort)) / lengthMs);
  const rows = cohorts.map(({ cohort, players, returned }) => ({
    name: formats.day(cohort),
    detail: formats.number(players),
    // A period that lies ahead is no zero.
    cells: returned.map((back, index) => (index < periodsSince(cohort) ? back / players : null)),
    unfinished: periodsSince(cohort) - 1,
    onOpen: onOpen && ((column: number) => onOpen(cohort, column + 1)),
  }));
  const all = {
    name: texts.allCohorts,
    detail: formats.number(cohorts.reduce((sum, { players }) => sum + players, 0)),
    cells: retentionOfAll(cohorts, (cohort, period) => period < periodsSince(cohort)),
    unfinished: -1,
    onOpen: undefined,
  };
  return (
    <>
      {rows.every(({ cells }) => cells.every((cell) => cell === null)) && (
        <p className="px-1 text-soft">{texts.retentionTooShort}</p>
      )}
      <HeatMap
        label={label}
        heads={[texts.cohort, texts.playersColumn, ...heads]}
        rows={rows.length > 1 ? [all, ...rows] : rows}
        // Whole percents, so that a fortnight fits into a tile.
        write={(fraction) => formats.percent(Math.round(fraction * 100) / 100)}
      />
    </>
  );
}

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
