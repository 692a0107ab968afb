import { inRange, periodOf, startText, type TimeRange } from './analysis-sql.ts';

export type SessionLengthRequest = TimeRange;

export interface SessionLengthRow {
  /** The day on which the sessions started. */
  readonly at: string;
  readonly sessions: number;
  readonly meanSeconds: number;
  readonly medianSeconds: number;
  readonly p90Seconds: number;
}

/** The duration of sessions: from the first event of a session to its last. A session with one event has duration 0. */
export function sessionLengthQuery(request: SessionLengthRequest): string {
  return `SELECT ${startText('day', 'day', request)} AS at, toFloat64(count()) AS sessions, round(avg(seconds), 3) AS meanSeconds,
  round(quantileExactInclusive(0.5)(seconds), 3) AS medianSeconds, round(quantileExactInclusive(0.9)(seconds), 3) AS p90Seconds
FROM
(
  SELECT min(occurred) AS began, (toUnixTimestamp64Milli(max(occurred)) - toUnixTimestamp64Milli(began)) / 1000 AS seconds
  FROM events
  WHERE ${inRange(request)} AND session_id != ''
  GROUP BY session_id
)
GROUP BY ${periodOf('day', request, 'began')} AS day
ORDER BY day`;
}
