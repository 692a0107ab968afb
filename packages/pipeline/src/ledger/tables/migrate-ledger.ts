import { migrateSchema, type Schema } from '@tickrate/postgres';
import { erasuresSql } from '../../erasure/erasures-sql.ts';
import { fleetSql } from '../../fleet/fleet.ts';
import { quarantineFunctionsSql } from '../../quarantine/quarantine-functions-sql.ts';
import { quarantineSql } from '../../quarantine/quarantine-sql.ts';
import { replaySql } from '../../quarantine/replays/replay-sql.ts';
import { usageSql } from '../../usage/usage.ts';
import { ledgerDeadSql } from '../dead/ledger-dead-sql.ts';
import { ledgerSealSql } from '../sealing/ledger-seal-sql.ts';
import { createPartitions } from './ledger-partitions.ts';
import { ledgerTablesSql } from './ledger-tables-sql.ts';

const deliverySchema: Schema = {
  name: 'delivery',
  migrations: [
    {
      name: '001-baseline',
      sql:
        ledgerTablesSql +
        ledgerSealSql +
        ledgerDeadSql +
        usageSql +
        quarantineSql +
        quarantineFunctionsSql +
        replaySql +
        erasuresSql +
        fleetSql,
    },
  ],
  afterwards: createPartitions,
};

/** Migrates the schema `delivery` to the current version. */
export function migrateLedger(postgresUrl: string): Promise<void> {
  return migrateSchema(postgresUrl, deliverySchema);
}
