import type { Postgres, Queryable } from '@tickrate/postgres';

const partitioned = ['chunks', 'batches', 'fragments'] as const;

/** A partition is kept for this number of days after its day. Chunks may arrive late, so the same number of past days exists from the start. */
export const retentionDays = 7;
const daysAhead = 3;

/**
 * Creates the partitions of the next days. If rows of a day are in the default partition, because the clock of a gateway
 * was days ahead, they stay there, and that day is deleted row by row.
 */
export async function createPartitions(db: Queryable): Promise<void> {
  await db.query(`
    DO $$
    DECLARE
      v_today int := floor(extract(epoch FROM now()) / 86400)::int;
      v_table text;
    BEGIN
      FOREACH v_table IN ARRAY ARRAY['${partitioned.join("','")}'] LOOP
        FOR v_day IN v_today - ${retentionDays} .. v_today + ${daysAhead} LOOP
          CONTINUE WHEN to_regclass(format('delivery.%I', v_table || '_' || v_day)) IS NOT NULL;
          BEGIN
            EXECUTE format('CREATE TABLE delivery.%I PARTITION OF delivery.%I FOR VALUES IN (%s)',
                           v_table || '_' || v_day, v_table, v_day);
          EXCEPTION WHEN check_violation THEN NULL;
          END;
        END LOOP;
      END LOOP;
    END $$`);
}

/**
 * Drops the days that nobody needs: older than the retention, with every batch stored, and older than every job in the
 * queue. Returns the number of dropped partitions. `oldestPendingMs` is the time at which the oldest job was added, or
 * null if the queue is empty.
 */
export async function dropPartitions(db: Postgres, oldestPendingMs: number | null): Promise<number> {
  const rows = await db.query<{ day: number }>(
    `WITH existing AS (
       SELECT substr(c.relname, length('batches_') + 1)::int AS day
         FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
        WHERE i.inhparent = 'delivery.batches'::regclass AND c.relname ~ '^batches_\\d+$'
     )
     SELECT e.day FROM existing e
      WHERE e.day < floor(extract(epoch FROM now()) / 86400)::int - $1
        AND e.day < coalesce(floor($2::numeric / 86400000) - 1, e.day + 1)
        AND NOT EXISTS (SELECT 1 FROM delivery.batches b WHERE b.day = e.day AND b.stored_at IS NULL)
      ORDER BY e.day`,
    [retentionDays, oldestPendingMs],
  );
  for (const { day } of rows) await dropDay(db, day);
  await db.query(
    `DELETE FROM delivery.batches_other
      WHERE stored_at < now() - make_interval(days => $1)
        AND sealed_at < coalesce(to_timestamp($2::numeric / 1000), now()) - interval '1 day'`,
    [retentionDays, oldestPendingMs],
  );
  await db.query(
    `DELETE FROM delivery.chunks_other c WHERE NOT EXISTS
       (SELECT 1 FROM delivery.batches b WHERE b.day = delivery.day_of(c.batch) AND b.id = c.batch)`,
  );
  return rows.length * partitioned.length;
}

/** A seal that holds the tables has precedence: the next maintenance tries again. */
async function dropDay(db: Postgres, day: number): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.query("SET LOCAL lock_timeout = '2s'");
    const days = partitioned.map((table) => `delivery.${table}_${day}`);
    await tx.query(`DROP TABLE IF EXISTS ${days.join(', ')}`);
  });
}
