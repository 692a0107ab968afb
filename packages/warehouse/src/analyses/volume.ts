import {
  allOf,
  type Condition,
  conditionsSql,
  inRange,
  ofTypes,
  type Period,
  periodOf,
  startText,
  type TimeColumn,
  type TimeRange,
} from './analysis-sql.ts';
import { type Split, type SplitColumns, splitParts } from './split.ts';

export interface VolumeRequest extends TimeRange {
  readonly per: Period;
  /** Empty means all types. */
  readonly types: readonly string[];
  readonly where: readonly Condition[];
  readonly split: Split | null;
  /** The default is `occurred`. */
  readonly by?: TimeColumn;
}

export interface VolumeRow extends SplitColumns {
  readonly at: string;
  readonly type: string;
  readonly events: number;
}

/** Counts the events of each type in each period. Leaves out empty periods. */
export function volumeQuery(request: VolumeRequest): string {
  const { per, types, split, by = 'occurred' } = request;
  const where = allOf(inRange(request, by), ofTypes(types), conditionsSql(request.where));
  const parts = split === null ? null : splitParts(split, where);
  return `SELECT ${startText('start', per, request)} AS at, type${parts === null ? '' : `, ${parts.columns}`}, toFloat64(count()) AS events
FROM events
WHERE ${where}
GROUP BY ${periodOf(per, request, by)} AS start, type${parts === null ? '' : `, ${parts.key} AS split_key`}
ORDER BY start, type${parts === null ? '' : ', split_key'}`;
}
