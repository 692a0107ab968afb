import {
  allOf,
  type Condition,
  conditionsSql,
  inRange,
  ofTypes,
  type Period,
  periodOf,
  startText,
  type TimeRange,
} from './analysis-sql.ts';
import { type Split, type SplitColumns, splitParts } from './split.ts';

export interface VolumeRequest extends TimeRange {
  readonly per: Period;
  /** Empty means all types. */
  readonly types: readonly string[];
  readonly where: readonly Condition[];
  readonly split: Split | null;
}

export interface VolumeRow extends SplitColumns {
  readonly at: string;
  readonly type: string;
  readonly events: number;
}

/** Counts the events of each type in each period. Leaves out empty periods. */
export function volumeQuery(request: VolumeRequest): string {
  const { per, types, split } = request;
  const where = allOf(inRange(request), ofTypes(types), conditionsSql(request.where));
  const parts = split === null ? null : splitParts(split, where);
  return `SELECT ${startText('start', per, request)} AS at, type${parts === null ? '' : `, ${parts.columns}`}, toFloat64(count()) AS events
FROM events
WHERE ${where}
GROUP BY ${periodOf(per, request)} AS start, type${parts === null ? '' : `, ${parts.key} AS split_key`}
ORDER BY start, type${parts === null ? '' : ', split_key'}`;
}
