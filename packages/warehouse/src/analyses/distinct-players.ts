import {
  allOf,
  type Condition,
  conditionsSql,
  distinctAccounts,
  inRange,
  ofPlayers,
  ofTypes,
  type Period,
  periodOf,
  startText,
  type TimeRange,
} from './analysis-sql.ts';
import { type Split, type SplitColumns, splitParts } from './split.ts';

export interface DistinctPlayersRequest extends TimeRange {
  readonly per: Exclude<Period, 'hour'>;
  /** Empty means all types. */
  readonly types: readonly string[];
  readonly where: readonly Condition[];
  readonly split: Split | null;
}

export interface DistinctPlayersRow extends SplitColumns {
  readonly at: string;
  readonly players: number;
}

/** Counts the accounts that sent events in each day, week or month, each once. */
export function distinctPlayersQuery(request: DistinctPlayersRequest): string {
  const { per, types, split } = request;
  const where = allOf(inRange(request), ofTypes(types), ofPlayers, conditionsSql(request.where));
  const parts = split === null ? null : splitParts(split, where);
  return `SELECT ${startText('start', per, request)} AS at${parts === null ? '' : `, ${parts.columns}`}, toFloat64(${distinctAccounts()}) AS players
FROM events
WHERE ${where}
GROUP BY ${periodOf(per, request)} AS start${parts === null ? '' : `, ${parts.key} AS split_key`}
ORDER BY start${parts === null ? '' : ', split_key'}`;
}
