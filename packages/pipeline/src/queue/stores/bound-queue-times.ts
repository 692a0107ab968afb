import type { PgPool } from '@tickrate/postgres';

const dbNow = '(extract(epoch FROM clock_timestamp()) * 1000)::bigint';

/**
 * Corrects times that are too far ahead of the clock of Postgres. BullMQ's Postgres backend writes times of the
 * process's own clock. A clock that is ahead would delay a job, and the check for stalled jobs of all workers, until
 * that time.
 */
export async function boundQueueTimes(
  pool: PgPool,
  queueNames: readonly string[],
  lockMs: number,
): Promise<void> {
  await pool.query(
    `WITH checks AS (
       DELETE FROM bullmq.meta WHERE queue = ANY($1) AND field = 'stalled-check'
          AND CASE field WHEN 'stalled-check' THEN value::bigint END > ${dbNow} + $2::bigint),
     locks AS (
       UPDATE bullmq.job SET locked_until_ms = ${dbNow} + $2::bigint
        WHERE queue = ANY($1) AND state = 'active' AND locked_until_ms > ${dbNow} + 2 * $2::bigint)
     UPDATE bullmq.job SET process_at_ms = ${dbNow}
      WHERE queue = ANY($1) AND state = 'delayed' AND process_at_ms > ${dbNow} + $2::bigint + 10000`,
    [queueNames, lockMs],
  );
}
