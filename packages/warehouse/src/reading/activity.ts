import { eventsTable, type WarehousePlace } from '../table/events-table.ts';
import type { Reader } from './reader.ts';

export interface ActivityRequest {
  readonly projectId: string;
  /** By the time of the events, like `toMs`. */
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

export interface ActivityReader {
  /** Returns the stored events of a project by the time when they happened, and by type. Throws a WarehouseFault. */
  activity(request: ActivityRequest): Promise<Activity>;
}

const timeoutMs = 5_000;

export function createActivityReader(query: Reader['query'], place: WarehousePlace): ActivityReader {
  const rows = `${eventsTable(place)} WHERE project = {project:String}
  AND occurred >= fromUnixTimestamp64Milli({from:Int64}) AND occurred < fromUnixTimestamp64Milli({to:Int64})`;
  return {
    async activity({ projectId, fromMs, toMs, bucketSeconds }) {
      const parameters = {
        project: projectId,
        from: String(Math.trunc(fromMs)),
        to: String(Math.trunc(toMs)),
        bucket: String(bucketSeconds),
      };
      const [buckets, distinct] = await Promise.all([
        query<{ at: string; type: string; events: string }>(
          `SELECT intDiv(toUnixTimestamp(occurred), {bucket:UInt32}) * {bucket:UInt32} AS at, type, count() AS events FROM ${rows} GROUP BY at, type ORDER BY at`,
          { parameters, timeoutMs },
        ),
        query<{ players: string; sessions: string }>(
          `SELECT uniqExactIf(account_id, account_id != '') AS players, uniqExactIf(session_id, session_id != '') AS sessions FROM ${rows}`,
          { parameters, timeoutMs },
        ),
      ]);
      return {
        buckets: buckets.map(({ at, type, events }) => ({
          atMs: Number(at) * 1_000,
          type,
          events: Number(events),
        })),
        players: Number(distinct[0]?.players ?? 0),
        sessions: Number(distinct[0]?.sessions ?? 0),
      };
    },
  };
}
