import { quoteString } from '../quote.ts';
import { inRange, type TimeRange } from './analysis-sql.ts';

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
  `concat(left(formatDateTime(${column}, '%Y-%m-%dT%H:%i:%SZ', 'UTC'), 19), '.', leftPad(toString(toUnixTimestamp64Milli(${column}) % 1000), 3, '0'), 'Z')`;

/** The events of one player, newest first. */
export function playerStreamQuery(request: PlayerStreamRequest): string {
  return `SELECT toString(e.event_id) AS eventId, e.type AS type, e.version AS version,
  ${milliseconds('e.occurred')} AS occurred, ${milliseconds('e.received')} AS received,
  e.session_id AS sessionId, e.data AS event
FROM events AS e
WHERE e.account_id = ${quoteString(request.accountId)} AND ${inRange(request).replaceAll('occurred', 'e.occurred')}
ORDER BY e.occurred DESC, e.event_id
LIMIT ${request.mostEvents}`;
}
