import {
  type AnalysisQuery,
  isoTime,
  ofPlayers,
  ofProject,
  rangeParameters,
  startOf,
  type TimeRange,
} from './analysis-sql.ts';

export interface RetentionRequest extends TimeRange {
  readonly per: 'day' | 'week';
  /** The number of periods after the first. */
  readonly periods: number;
}

export interface RetentionRow {
  /** The period of these players' first event ever. */
  readonly cohort: string;
  readonly players: number;
  /** The number of players who came back in the 1st, 2nd, … period after it. */
  readonly returned: readonly number[];
}

const stepDays = { day: 1, week: 7 } as const;

/** Counts returning players. A player belongs to the period of the first event ever, even before the range. */
export function retentionQuery(table: string, request: RetentionRequest): AnalysisQuery {
  const { per, periods } = request;
  const known = `${ofProject} AND ${ofPlayers}`;
  return {
    sql: `SELECT ${isoTime('began')} AS cohort, toFloat64(count()) AS players,
  arrayMap(n -> toFloat64(arrayCount(p -> p = n, arrayFlatten(groupArray(later)))), range(1, {periods:UInt16} + 1)) AS returned
FROM
(
  SELECT account_id, min(start) AS began,
    arrayMap(at -> intDiv(dateDiff('day', began, at), ${stepDays[per]}), groupArray(start)) AS later
  FROM (SELECT account_id, ${startOf(per)} AS start FROM ${table} WHERE ${known} GROUP BY account_id, start)
  GROUP BY account_id
  HAVING began >= fromUnixTimestamp64Milli({from:Int64}) AND began < fromUnixTimestamp64Milli({to:Int64})
)
GROUP BY began
ORDER BY began`,
    parameters: { ...rangeParameters(request), periods: String(periods) },
  };
}
