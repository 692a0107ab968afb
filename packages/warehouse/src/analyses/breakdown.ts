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
  /** Null: all events. */
  readonly part: EventsPart | null;
}

/** Events whose value of the member is one of these, or none of these. Null stands for events without the member. */
export interface EventsPart {
  readonly member: string;
  readonly values: readonly (string | null)[];
  readonly isRest: boolean;
}

/** The players who sent the events of a bar. */
export function eventPlayersQuery(request: EventPlayersRequest): string {
  const { types, where, part } = request;
  return playersSql(request, {
    from: `(
  SELECT account_id, count() AS events
  FROM events
  WHERE ${allOf(inRange(request), ofTypes(types), ofPlayers, conditionsSql(where), partSql(part))}
  GROUP BY account_id
)`,
    where: '1',
  });
}

function partSql(part: EventsPart | null): string {
  if (part === null) return '1';
  const text = memberText(part.member);
  const texts = part.values.filter((value) => value !== null).map(quoteString);
  const isOne = [
    ...(texts.length === 0 ? [] : [`ifNull(${text} IN (${texts.join(', ')}), 0)`]),
    ...(part.values.includes(null) ? [`${text} IS NULL`] : []),
  ].join(' OR ');
  return part.isRest ? `NOT (${isOne})` : `(${isOne})`;
}
