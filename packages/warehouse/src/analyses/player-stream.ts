import {
  type AnalysisQuery,
  inRange,
  isoTime,
  ofProject,
  rangeParameters,
  type TimeRange,
} from './analysis-sql.ts';

export interface PlayerStreamRequest extends TimeRange {
  readonly accountId: string;
  readonly mostEvents: number;
}

export interface PlayerStreamRow {
  readonly eventId: string;
  readonly type: string;
  readonly version: number;
  readonly occurred: string;
  readonly received: string;
  readonly sessionId: string;
  readonly event: unknown;
}

const milliseconds = (column: string) =>
  `concat(left(${isoTime(column)}, 19), '.', leftPad(toString(toUnixTimestamp64Milli(${column}) % 1000), 3, '0'), 'Z')`;

/** The events of one player, newest first. */
export function playerStreamQuery(table: string, request: PlayerStreamRequest): AnalysisQuery {
  return {
    sql: `SELECT toString(e.event_id) AS eventId, e.type AS type, e.version AS version,
  ${milliseconds('e.occurred')} AS occurred, ${milliseconds('e.received')} AS received,
  e.session_id AS sessionId, e.data AS event
FROM ${table} AS e
WHERE ${ofProject} AND account_id = {account:String} AND ${inRange.replaceAll('occurred', 'e.occurred')}
ORDER BY e.occurred DESC, e.event_id
LIMIT {most:UInt32}`,
    parameters: {
      ...rangeParameters(request),
      account: request.accountId,
      most: String(request.mostEvents),
    },
  };
}
