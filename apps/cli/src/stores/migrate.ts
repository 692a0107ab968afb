import { migrateAuth } from '@tickrate/accounts';
import { migrateLedger, migrateQueue } from '@tickrate/pipeline';
import { migrateRegistry } from '@tickrate/registry';
import { createWarehouse } from '@tickrate/warehouse';
import { done } from '../command-line/command.ts';
import { defineCommand } from '../command-line/define-command.ts';
import { findStores, type Stores } from './find-stores.ts';

export const migrateCommand = defineCommand({
  words: 'migrate',
  summary: 'migrate PostgreSQL, the queue and ClickHouse to this version',
  async run({ folder, values }) {
    const stores = findStores(folder, values);
    await Promise.all([migratePostgres(stores), migrateClickHouse(stores, values.clickhouseCluster)]);
    const migrated = stores.clickhouseUrl === null ? ['PostgreSQL'] : ['PostgreSQL', 'ClickHouse'];
    return done({ migrated }, [`${migrated.join(' and ')}: up to date`]);
  },
});

async function migratePostgres({ postgresUrl, queueUrl }: Stores): Promise<void> {
  await Promise.all([
    migrateRegistry(postgresUrl),
    migrateAuth(postgresUrl),
    migrateLedger(postgresUrl),
    migrateQueue(queueUrl),
  ]);
}

/** Also creates a dropped table of events again. No app does this by itself. */
async function migrateClickHouse(
  { clickhouseUrl, clickhouseDatabase: database }: Stores,
  cluster: string | null,
): Promise<void> {
  if (clickhouseUrl === null) return;
  const warehouse = createWarehouse({ clickhouseUrl, database, cluster });
  try {
    await warehouse.migrate({ restoreMissing: true });
  } finally {
    await warehouse.close();
  }
}
