import { quoteString } from '../quote.ts';

/** Players in the order of their ids. */
export interface PlayerPage {
  /** The last id of the page before. */
  readonly after: string | null;
  readonly mostPlayers: number;
}

export interface PlayerRow {
  readonly accountId: string;
  /** The number of events of the player that the analysis read. */
  readonly events: number;
}

/** One page of the players of a relation with `account_id` and `events`. */
export function playersSql(
  { after, mostPlayers }: PlayerPage,
  { from, where }: { readonly from: string; readonly where: string },
): string {
  const place = after === null ? '' : ` AND account_id > ${quoteString(after)}`;
  return `SELECT account_id AS accountId, toFloat64(events) AS events
FROM ${from}
WHERE ${where}${place}
ORDER BY account_id
LIMIT ${mostPlayers}`;
}
