import { migrateSchema } from '@tickrate/postgres';
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
].map((sql, index) => ({ name: String(index + 1).padStart(3, '0'), sql }));

/** Migrates the schema `delivery` to the current version. */
export function migrateLedger(postgresUrl: string): Promise<void> {
  return migrateSchema(postgresUrl, { name: 'delivery', migrations, afterwards: createPartitions });
}
