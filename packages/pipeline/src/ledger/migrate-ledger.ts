import pg from 'pg';
import { erasureAccountsSql } from '../erasure/erasure-accounts-sql.ts';
import { erasuresSql } from '../erasure/erasures-sql.ts';
import { quarantineBoundsSql } from '../quarantine/quarantine-bounds-sql.ts';
import { quarantineFunctionsSql } from '../quarantine/quarantine-functions-sql.ts';
import { quarantineSql } from '../quarantine/quarantine-sql.ts';
import { replaySql } from '../quarantine/replay-sql.ts';
import { diskLevelsSql } from './disk-levels-sql.ts';
import { ledgerDeadSql } from './ledger-dead-sql.ts';
import { createPartitions } from './ledger-partitions.ts';
import { ledgerSealSql } from './ledger-seal-sql.ts';
import { ledgerTablesSql } from './ledger-tables-sql.ts';
import { ledgerUsageSql } from './ledger-usage-sql.ts';

/** Only ever appended to. */
const migrations = [
  ledgerTablesSql,
  ledgerSealSql,
  ledgerDeadSql,
  ledgerUsageSql,
  quarantineSql,
  quarantineFunctionsSql,
  replaySql,
  erasuresSql,
  erasureAccountsSql,
  quarantineBoundsSql,
  diskLevelsSql,
];

const lockKey = 0x1ed9e4;

/** Brings the schema `delivery` up to date. Any number of processes may call it at once. */
export async function migrateLedger(postgresUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: postgresUrl, connectionTimeoutMillis: 10_000 });
  await client.connect();
  try {
    await client.query('BEGIN');
    await client.query('SELECT pg_advisory_xact_lock($1)', [lockKey]);
    await client.query(`
      CREATE SCHEMA IF NOT EXISTS delivery;
      CREATE TABLE IF NOT EXISTS delivery.migrations (
        version int PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT now())`);
    const { rows } = await client.query<{ version: number }>(
      'SELECT coalesce(max(version), 0) AS version FROM delivery.migrations',
    );
    const applied = rows[0]?.version ?? 0;
    for (const [index, sql] of migrations.entries()) {
      if (index < applied) continue;
      await client.query(sql);
      await client.query('INSERT INTO delivery.migrations (version) VALUES ($1)', [index + 1]);
    }
    await createPartitions(client);
    await client.query('COMMIT');
  } finally {
    await client.end();
  }
}
