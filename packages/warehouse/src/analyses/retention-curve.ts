import {
  inRange,
  instant,
  ofPlayers,
  type Period,
  periodOf,
  startOfDate,
  startText,
  type TimeRange,
} from './analysis-sql.ts';
import { type PlayerPage, playersSql } from './players-behind.ts';

export interface RetentionRequest extends TimeRange {
  readonly per: Extract<Period, 'day' | 'week'>;
  /** The number of periods after the first. */
  readonly periods: number;
}

export interface RetentionRow {
  /** The start of the period of these players' first event ever. */
  readonly cohort: string;
  readonly players: number;
  /** The number of players who came back in the 1st, 2nd, … period after it. */
  readonly returned: readonly number[];
}

const stepDays = { day: 1, week: 7 } as const;

/** Counts returning players. A player belongs to the period of the first event ever, even before the range. */
export function retentionQuery(request: RetentionRequest): string {
  const { per, periods } = request;
  const returned = Array.from({ length: periods }, (_, n) => `toFloat64(sumIf(active, later = ${n + 1}))`);
  return `SELECT ${startText('began', per, request)} AS cohort, toFloat64(sumIf(active, later = 0)) AS players,
  [${returned.join(', ')}] AS returned
FROM
(
  SELECT began, intDiv(dateDiff('day', began, start), ${stepDays[per]}) AS later, count() AS active
  FROM
  (
${playersSqlOf(request)}
  )
  ARRAY JOIN starts AS start
  GROUP BY began, later
)
GROUP BY began
ORDER BY began`;
}

export interface RetentionPlayersRequest extends RetentionRequest, PlayerPage {
  /** An instant in the period of their first event. */
  readonly cohortMs: number;
  /** They came back in this period after it; 0 means all players of the cohort. */
  readonly period: number;
}

export function retentionPlayersQuery(request: RetentionPlayersRequest): string {
  const { per, period } = request;
  const cohort = periodOf(per, request, instant(request.cohortMs));
  return playersSql(request, {
    from: `(\n${playersSqlOf(request, ', count() AS events')}\n)`,
    where: `began = ${cohort} AND has(starts, began + ${period * stepDays[per]})`,
  });
}

/** Each player whose first event is in the range: its period, and all periods with events. */
function playersSqlOf(request: RetentionRequest, more = ''): string {
  const start = periodOf(request.per, request);
  return `    SELECT min(${start}) AS began, groupUniqArray(${start}) AS starts, account_id${more}
    FROM events
    WHERE ${ofPlayers}
    GROUP BY account_id
    HAVING ${inRange(request).replaceAll('occurred', startOfDate('began', request))}`;
}
