import {
  type AnalysisQuery,
  inRange,
  isoTime,
  ofPlayers,
  ofProject,
  type Period,
  rangeParameters,
  startOf,
  type TimeRange,
} from './analysis-sql.ts';

export interface DistinctPlayersRequest extends TimeRange {
  readonly per: Exclude<Period, 'hour'>;
}

export interface DistinctPlayersRow {
  readonly at: string;
  readonly players: number;
}

/** Counts the accounts that sent events in each day, week or month, each once. */
export function distinctPlayersQuery(table: string, request: DistinctPlayersRequest): AnalysisQuery {
  return {
    sql: `SELECT ${isoTime('start')} AS at, toFloat64(uniqExact(account_id)) AS players
FROM ${table}
WHERE ${ofProject} AND ${inRange} AND ${ofPlayers}
GROUP BY ${startOf(request.per)} AS start
ORDER BY start`,
    parameters: rangeParameters(request),
  };
}
