import { eventsTable, type WarehousePlace } from '../table/events-table.ts';
import type { Reader } from './reader.ts';

export interface ActivityRequest {
  readonly projectId: string;
  /** Which time of the events is counted: when they happened, or when they arrived. */
  readonly by: 'occurred' | 'received';
  readonly fromMs: number;
  readonly toMs: number;
  readonly bucketSeconds: number;
}

export interface ActivityBucket {
  /** The start of the bucket. */
  readonly atMs: number;
  readonly type: string;
  readonly events: number;
}

export interface Activity {
  readonly buckets: readonly ActivityBucket[];
  /** Distinct accounts of all these events. */
  readonly players: number;
  readonly sessions: number;
}

const timeoutMs = 5_000;

export function createActivityReader(query: Reader['query'], place: WarehousePlace) {
  return {
    /** Returns the stored events of a project by time and type. Throws a WarehouseFault. */
    async activity({ projectId, by, fromMs, toMs, bucketSeconds }: ActivityRequest): Promise<Activity> {
      const rows = `${eventsTable(place)} WHERE project = {project:String}
  AND ${by} >= fromUnixTimestamp64Milli({from:Int64}) AND ${by} < fromUnixTimestamp64Milli({to:Int64})`;
      const parameters = {
        project: projectId,
        from: String(Math.trunc(fromMs)),
        to: String(Math.trunc(toMs)),
        bucket: String(bucketSeconds),
      };
      const [buckets, distinct] = await Promise.all([
        query<ActivityBucket>(
          `SELECT toFloat64(intDiv(toUnixTimestamp(${by}), {bucket:UInt32}) * {bucket:UInt32}) * 1000 AS atMs, type,
  toFloat64(count()) AS events FROM ${rows} GROUP BY atMs, type ORDER BY atMs`,
          { parameters, timeoutMs },
        ),
        query<Omit<Activity, 'buckets'>>(
          `SELECT toFloat64(uniqExactIf(account_id, account_id != '')) AS players,
  toFloat64(uniqExactIf(session_id, session_id != '')) AS sessions FROM ${rows}`,
          { parameters, timeoutMs },
        ),
      ]);
      return { buckets, players: distinct[0]?.players ?? 0, sessions: distinct[0]?.sessions ?? 0 };
    },
  };
}
