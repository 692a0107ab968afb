import { quoteString } from '../quote.ts';
import {
  allOf,
  type Condition,
  conditionsSql,
  distinctAccounts,
  inRange,
  memberText,
  ofPlayers,
  ofTypes,
  type TimeRange,
} from './analysis-sql.ts';
import { type PlayerPage, playersSql } from './players-behind.ts';

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
export function breakdownQuery(request: BreakdownRequest): string {
  const { type, member, where, mostValues } = request;
  return `SELECT ${memberText(member)} AS value, toFloat64(count()) AS events,
  toFloat64(${distinctAccounts(ofPlayers)}) AS players
FROM events
WHERE ${allOf(inRange(request), ofTypes([type]), conditionsSql(where))}
GROUP BY value
ORDER BY events DESC, value
LIMIT ${mostValues}`;
}

export interface EventPlayersRequest extends TimeRange, PlayerPage {
  /** Empty means all types. */
  readonly types: readonly string[];
  readonly where: readonly Condition[];
  /** Events with this value of the member; null means events without it. */
  readonly value: { readonly member: string; readonly is: string | null } | null;
}

/** The players who sent the events of a bar. */
export function eventPlayersQuery(request: EventPlayersRequest): string {
  const { types, where, value } = request;
  return playersSql(request, {
    from: `(
  SELECT account_id, count() AS events
  FROM events
  WHERE ${allOf(inRange(request), ofTypes(types), ofPlayers, conditionsSql(where), valueSql(value))}
  GROUP BY account_id
)`,
    where: '1',
  });
}

function valueSql(value: EventPlayersRequest['value']): string {
  if (value === null) return '1';
  const text = memberText(value.member);
  return value.is === null ? `${text} IS NULL` : `ifNull(${text} = ${quoteString(value.is)}, 0)`;
}
