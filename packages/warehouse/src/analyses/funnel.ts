import {
  type AnalysisQuery,
  type Condition,
  conditionsSql,
  inRange,
  ofPlayers,
  ofProject,
  rangeParameters,
  type TimeRange,
} from './analysis-sql.ts';

export interface FunnelStep {
  readonly type: string;
  readonly where: readonly Condition[];
}

export interface FunnelRequest extends TimeRange {
  /** 2 to 10, in the order in which a player takes them. */
  readonly steps: readonly FunnelStep[];
  /** The longest time from the first step to the last. */
  readonly windowSeconds: number;
}

export interface FunnelRow {
  /** Starts at 1. */
  readonly step: number;
  /** The players who took this step and all steps before it, in order and in time. */
  readonly players: number;
}

/** Counts players per step. Other events in between do not matter, and one event is never two steps. */
export function funnelQuery(table: string, request: FunnelRequest): AnalysisQuery {
  const parameters: Record<string, unknown> = {
    ...rangeParameters(request),
    window: String(request.windowSeconds * 1000),
    types: [...new Set(request.steps.map(({ type }) => type))],
    steps: String(request.steps.length),
  };
  const steps = request.steps.map(({ type, where }, n) => {
    parameters[`type${n}`] = type;
    return `type = {type${n}:String} AND ${conditionsSql(where, `value${n}_`, parameters)}`;
  });
  return {
    sql: `SELECT arrayJoin(range(1, {steps:UInt8} + 1)) AS step, toFloat64(countIf(reached >= step)) AS players
FROM
(
  SELECT windowFunnel({window:UInt64}, 'strict_once')(toUInt64(toUnixTimestamp64Milli(occurred)), ${steps.join(', ')}) AS reached
  FROM ${table}
  WHERE ${ofProject} AND ${inRange} AND ${ofPlayers} AND has({types:Array(String)}, type)
  GROUP BY account_id
)
GROUP BY step
ORDER BY step`,
    parameters,
  };
}
