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
  type TimeColumn,
  type TimeRange,
} from './analysis-sql.ts';
import { type Split, type SplitColumns, splitParts } from './split.ts';

interface SeriesRequest extends TimeRange {
  readonly per: Period;
  /** Empty means all types. */
  readonly types: readonly string[];
  readonly where: readonly Condition[];
  readonly split: Split | null;
}

export interface VolumeRequest extends SeriesRequest {
  /** The default is `occurred`. */
  readonly by?: TimeColumn;
}

export interface VolumeRow extends SplitColumns {
  readonly at: string;
  readonly type: string;
  readonly events: number;
}

/** Counts the events of each type in each period. Leaves out empty periods. */
export function volumeQuery({ by = 'occurred', ...request }: VolumeRequest): string {
  const where = allOf(inRange(request, by), ofTypes(request.types), conditionsSql(request.where));
  return seriesQuery(request, { where, by, keys: ', type', figure: 'toFloat64(count()) AS events' });
}

export interface DistinctPlayersRequest extends SeriesRequest {
  readonly per: Exclude<Period, 'hour'>;
}

export interface DistinctPlayersRow extends SplitColumns {
  readonly at: string;
  readonly players: number;
}

/** Counts the accounts that sent events in each day, week or month, each once. */
export function distinctPlayersQuery(request: DistinctPlayersRequest): string {
  const where = allOf(inRange(request), ofTypes(request.types), ofPlayers, conditionsSql(request.where));
  const figure = `toFloat64(${distinctAccounts()}) AS players`;
  return seriesQuery(request, { where, by: 'occurred', keys: '', figure });
}

interface Series {
  readonly where: string;
  readonly by: TimeColumn;
  /** More columns that divide the events, each after a comma. */
  readonly keys: string;
  readonly figure: string;
}

function seriesQuery(request: SeriesRequest, { where, by, keys, figure }: Series): string {
  const { per, split } = request;
  const parts = split === null ? null : splitParts(split, where);
  return `SELECT ${startText('start', per, request)} AS at${keys}${parts === null ? '' : `, ${parts.columns}`}, ${figure}
FROM events
WHERE ${where}
GROUP BY ${periodOf(per, request, by)} AS start${keys}${parts === null ? '' : `, ${parts.key} AS split_key`}
ORDER BY start${keys}${parts === null ? '' : ', split_key'}`;
}
