import {
  type AnalysisQuery,
  inRange,
  isoTime,
  ofProject,
  type Period,
  rangeParameters,
  startOf,
  type TimeRange,
} from './analysis-sql.ts';

export interface VolumeRequest extends TimeRange {
  readonly per: Period;
  /** Empty means all types. */
  readonly types: readonly string[];
}

export interface VolumeRow {
  readonly at: string;
  readonly type: string;
  readonly events: number;
}

/** Counts the events of each type in each period. Leaves out empty periods. */
export function volumeQuery(table: string, request: VolumeRequest): AnalysisQuery {
  const { per, types } = request;
  return {
    sql: `SELECT ${isoTime('start')} AS at, type, toFloat64(count()) AS events
FROM ${table}
WHERE ${ofProject} AND ${inRange} AND (empty({types:Array(String)}) OR has({types:Array(String)}, type))
GROUP BY ${startOf(per)} AS start, type
ORDER BY start, type`,
    parameters: { ...rangeParameters(request), types },
  };
}
