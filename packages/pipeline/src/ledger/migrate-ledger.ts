import { migrateSchema, type Schema } from '@tickrate/postgres';
import { erasuresSql } from '../erasure/erasures-sql.ts';
import { quarantineFunctionsSql } from '../quarantine/quarantine-functions-sql.ts';
import { quarantineSql } from '../quarantine/quarantine-sql.ts';
import { replaySql } from '../quarantine/replay-sql.ts';
import { historySql } from './history-sql.ts';
import { ledgerDeadSql } from './ledger-dead-sql.ts';
import { createPartitions } from './ledger-partitions.ts';
import { ledgerSealSql } from './ledger-seal-sql.ts';
import { ledgerTablesSql } from './ledger-tables-sql.ts';
import { ledgerUsageSql } from './ledger-usage-sql.ts';

const deliverySchema: Schema = {
  name: 'delivery',
  migrations: [
    {
      name: '001-baseline',
      sql:
        ledgerTablesSql +
        ledgerSealSql +
        ledgerDeadSql +
        ledgerUsageSql +
        quarantineSql +
        quarantineFunctionsSql +
        replaySql +
        erasuresSql +
        historySql,
    },
  ],
  afterwards: createPartitions,
};

/** Migrates the schema `delivery` to the current version. */
export function migrateLedger(postgresUrl: string): Promise<void> {
  return migrateSchema(postgresUrl, deliverySchema);
}
