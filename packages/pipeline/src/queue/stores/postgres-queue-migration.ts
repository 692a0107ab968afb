import type { PgPool } from '@tickrate/postgres';
import { runMigrations } from 'bullmq';

/**
 * Runs after BullMQ's own migrations, and again after those of another version.
 *
 * - Payloads are compressed already, so Postgres must not compress them again, which doubled the cost of adding.
 * - The table of a queue is vacuumed after a number of rows, not after a share of them.
 */
export async function migratePostgresQueue(pool: PgPool): Promise<void> {
  const client = await pool.connect();
  try {
    await runMigrations(client, 'bullmq');
    const { rows } = await client.query<{ tuned: boolean }>(
      `SELECT attstorage = 'e' AS tuned FROM pg_attribute
        WHERE attrelid = 'bullmq.job'::regclass AND attname = 'data'`,
    );
    if (rows[0]?.tuned !== true) await client.query(tuneQueueTables);
  } finally {
    client.release();
  }
}

const tuneQueueTables = `
  ALTER TABLE bullmq.job SET (
    autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_cost_delay = 0,
    toast.autovacuum_vacuum_scale_factor = 0, toast.autovacuum_vacuum_threshold = 20000,
    toast.autovacuum_vacuum_cost_delay = 0);
  ALTER TABLE bullmq.job ALTER COLUMN data SET STORAGE EXTERNAL;`;
