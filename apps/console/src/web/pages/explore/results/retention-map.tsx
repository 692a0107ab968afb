import type { ReactNode } from 'react';
import { commonTexts } from '../../../texts/common-texts.ts';
import { useFormats, useTexts } from '../../../texts/use-texts.ts';
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
/** In pixels: of the names with their details, and of a cell that reads `100%`, with its gap. */
const widthOfNames = 164;
const leastCell = 36;
/** The names of the rows stay in sight while a narrow table scrolls. */
const named = 'sticky left-0 bg-panel text-left';
const headShapes = [`w-24 ${named}`, 'w-16 text-right'];
/** A tile that is lower than the table ends below a whole row: 24 px and their gap of 2. */
const wholeRows = { maxHeight: 'calc(round(down, 100% - 2px, 26px) + 2px)' };

/** How many players of each first day came back, below a row for all of them. */
export function RetentionMap({ label, per, cohorts, onOpen }: RetentionMapProps): ReactNode {
  const texts = useTexts(exploreTexts);
  const formats = useFormats();
  const shortName = per === 'week' ? texts.periodWeekShort : texts.periodDayShort;
  const periods = Math.max(...cohorts.map(({ returned }) => returned.length));
  const heads = Array.from({ length: periods }, (_, index) => shortName(String(index + 1)));
  const rows = rowsOf(cohorts, (per === 'week' ? 7 : 1) * dayMs);
  return (
    <>
      {rows.every(({ cells }) => cells.every((cell) => cell === null)) && (
        <p className="px-1 text-soft">{texts.retentionTooShort}</p>
      )}
      <section tabIndex={0} aria-label={label} className="fading overflow-auto" style={wholeRows}>
        <table
          className="w-full table-fixed border-separate border-spacing-0.5 text-sm"
          style={{ minWidth: widthOfNames + periods * leastCell }}
        >
          {rows.some(({ cells, unfinished }) => cells[unfinished] != null) && (
            <caption className="h-6 caption-bottom px-1 text-left text-soft">{texts.unfinishedCells}</caption>
          )}
          <thead className="sticky top-0 z-10 bg-panel text-soft">
            <tr className="h-6">
              {[texts.cohort, texts.playersColumn, ...heads].map((head, index) => (
                <th
                  key={head}
                  scope="col"
                  className={`whitespace-nowrap px-1 font-normal ${headShapes[index] ?? 'text-center'}`}
                >
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ cohort, players, cells, unfinished }) => (
              <tr key={cohort} className="h-6">
                <th scope="row" className={`whitespace-nowrap px-1 font-normal ${named}`}>
                  {cohort === null ? texts.allCohorts : formats.day(cohort)}
                </th>
                <td className="px-1 text-right text-soft">{formats.number(players)}</td>
                {cells.map((fraction, index) => (
                  <HeatCell
                    // biome-ignore lint/suspicious/noArrayIndexKey: a cell is its period
                    key={index}
                    fraction={fraction}
                    isUnfinished={index === unfinished}
                    onOpen={onOpen && cohort !== null ? () => onOpen(cohort, index + 1) : undefined}
                  />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </>
  );
}

interface Row {
  /** Null for all cohorts together. */
  readonly cohort: string | null;
  readonly players: number;
  /** From 0 to 1; null where nothing can be known yet. */
  readonly cells: readonly (number | null)[];
  /** The position of the cell whose period is not over: it is marked. */
  readonly unfinished: number;
}

function rowsOf(cohorts: readonly Cohort[], lengthMs: number): Row[] {
  const periodsSince = (cohort: string) => Math.floor((nowMs() - Date.parse(cohort)) / lengthMs);
  const rows = cohorts.map(({ cohort, players, returned }) => ({
    cohort,
    players,
    // A period that lies ahead is no zero.
    cells: returned.map((back, index) => (index < periodsSince(cohort) ? back / players : null)),
    unfinished: periodsSince(cohort) - 1,
  }));
  const all = {
    cohort: null,
    players: cohorts.reduce((sum, { players }) => sum + players, 0),
    cells: retentionOfAll(cohorts, (cohort, period) => period < periodsSince(cohort)),
    unfinished: -1,
  };
  return rows.length > 1 ? [all, ...rows] : rows;
}

const steps = 8;

interface HeatCellProps {
  readonly fraction: number | null;
  readonly isUnfinished: boolean;
  readonly onOpen: (() => void) | undefined;
}

function HeatCell({ fraction, isUnfinished, onOpen }: HeatCellProps): ReactNode {
  const texts = useTexts(commonTexts);
  const formats = useFormats();
  if (fraction === null) return <td />;
  const step = Math.min(steps - 1, Math.floor(fraction * steps));
  const style = {
    background: `var(--heat-${step})`,
    color: `var(--heat-ink-${step < steps / 2 ? 'low' : 'high'})`,
  };
  // Whole percents, so that a fortnight fits into a tile.
  const text = formats.percent(Math.round(fraction * 100) / 100);
  return (
    <td
      className={`h-6 rounded-sm text-center ${isUnfinished ? 'italic outline-1 -outline-offset-1 outline-dashed outline-edge' : ''}`}
      style={style}
      {...(isUnfinished && { title: texts.unfinishedCell })}
    >
      {onOpen === undefined ? (
        text
      ) : (
        <button type="button" className="w-full text-center" onClick={onOpen}>
          {text}
        </button>
      )}
    </td>
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
