import {
  type AnalysisQuery,
  type Condition,
  conditionsSql,
  inRange,
  memberText,
  ofProject,
  rangeParameters,
  type TimeRange,
} from './analysis-sql.ts';

export interface BreakdownRequest extends TimeRange {
  readonly type: string;
  /** The dotted path of a member that is not a list or map. */
  readonly member: string;
  readonly where: readonly Condition[];
  readonly mostValues: number;
}

export interface BreakdownRow {
  /** Null for events without the member. */
  readonly value: string | null;
  readonly events: number;
  readonly players: number;
}

/** Counts the values of a member, the most frequent first. */
export function breakdownQuery(table: string, request: BreakdownRequest): AnalysisQuery {
  const parameters: Record<string, unknown> = {
    ...rangeParameters(request),
    type: request.type,
    most: String(request.mostValues),
  };
  return {
    sql: `SELECT ${memberText(request.member)} AS value, toFloat64(count()) AS events,
  toFloat64(uniqExactIf(account_id, account_id != '')) AS players
FROM ${table}
WHERE ${ofProject} AND type = {type:String} AND ${inRange} AND ${conditionsSql(request.where, 'value', parameters)}
GROUP BY value
ORDER BY events DESC, value
LIMIT {most:UInt32}`,
    parameters,
  };
}
