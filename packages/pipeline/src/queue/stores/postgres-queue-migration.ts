import type { PgPool } from '@tickrate/postgres';
import { runMigrations } from 'bullmq';

/**
 * Besides BullMQ's own migrations: payloads are compressed already, so Postgres must not try it again
 * (it doubled the cost of adding), and a queue's table needs vacuuming by count, not by share.
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
  ALTER TABLE bullmq.event SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);
  ALTER TABLE bullmq.job ALTER COLUMN data SET STORAGE EXTERNAL;`;
