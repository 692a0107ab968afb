import type { Postgres, Queryable } from '@tickrate/postgres';
import {
  defaultQuarantineLimits,
  maintainQuarantine,
  oldestReplayMs,
  type QuarantineLimits,
} from '../../quarantine/samples/maintain-quarantine.ts';
import { countUsage, dropOldUsage } from '../../usage/usage.ts';
import { createPartitions, dropPartitions, retentionDays } from './ledger-partitions.ts';

export interface MaintainOptions {
  /** The time at which the oldest job of the queue was added. Null if the queue is empty, undefined if it is unknown. */
  readonly oldestPendingMs: number | null | undefined;
  readonly quarantine?: QuarantineLimits;
}

/**
 * A chunk that waits in the queue longer than the retention must find its record. So nothing is dropped while the queue
 * contains a job of that age, or while the age is unknown.
 */
export async function maintainLedger(db: Postgres, options: MaintainOptions): Promise<void> {
  const { quarantine = defaultQuarantineLimits } = options;
  await createPartitions(db);
  await countUsage(db, null);
  await dropOldUsage(db);
  for (let deleted = keysPerDelete; deleted === keysPerDelete; ) deleted = await deleteExpiredKeys(db);
  await maintainQuarantine(db, quarantine);
  if (options.oldestPendingMs === undefined) return;
  const oldest = [options.oldestPendingMs, await oldestReplayMs(db)].filter((ms) => ms !== null);
  const oldestPendingMs = oldest.length === 0 ? null : Math.min(...oldest);
  await dropPartitions(db, oldestPendingMs);
  await foldProducers(db, oldestPendingMs);
}

const keysPerDelete = 5_000;

async function deleteExpiredKeys(db: Queryable): Promise<number> {
  const [row] = await db.query<{ deleted: number }>(
    `WITH expired AS (
       DELETE FROM delivery.keys WHERE key IN (
         SELECT key FROM delivery.keys WHERE expires_at <= clock_timestamp()
          ORDER BY expires_at LIMIT $1 FOR UPDATE SKIP LOCKED)
       RETURNING 1)
     SELECT count(*)::int AS deleted FROM expired`,
    [keysPerDelete],
  );
  return row?.deleted ?? 0;
}

/** Gateways start and end. Those that report nothing more, and whose events cannot arrive any more, become one row. */
async function foldProducers(db: Queryable, oldestPendingMs: number | null): Promise<void> {
  await db.query(
    `WITH gone AS (
       DELETE FROM delivery.producers
        WHERE producer <> '' AND seen_at < now() - make_interval(days => $1)
          AND seen_at < coalesce(to_timestamp($2::numeric / 1000), now())
       RETURNING project, greatest(reported, arrived) AS accepted, counted,
                 int8multirange(int8range(0, settled)) - accounted AS unarrived
     ), lost AS (
       INSERT INTO delivery.totals AS t (project, lost)
       SELECT project, sum(upper(gap) - lower(gap)) FROM gone CROSS JOIN LATERAL unnest(unarrived) AS gap
        GROUP BY project ORDER BY project
       ON CONFLICT (project) DO UPDATE SET lost = t.lost + excluded.lost
     )
     INSERT INTO delivery.producers AS p (producer, project, reported, counted, seen_at)
     SELECT '', project, sum(accepted), sum(counted), now() FROM gone GROUP BY project ORDER BY project
     ON CONFLICT (producer, project)
       DO UPDATE SET reported = p.reported + excluded.reported, counted = p.counted + excluded.counted`,
    [retentionDays, oldestPendingMs],
  );
}
