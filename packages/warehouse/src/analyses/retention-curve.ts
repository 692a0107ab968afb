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
  /** How many periods after the first are looked at. */
  readonly periods: number;
}

export interface RetentionRow {
  /** The period in which these players sent their first event ever. */
  readonly cohort: string;
  readonly players: number;
  /** How many of them came back in the 1st, 2nd, … period after that. */
  readonly returned: readonly number[];
}

const stepDays = { day: 1, week: 7 } as const;

/** Who comes back. A player belongs to the period of the very first event, however long before the range that was. */
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
