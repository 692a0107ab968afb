import { migrateAuth } from '@tickrate/accounts';
import { migrateLedger, migrateQueue } from '@tickrate/pipeline';
import { migrateRegistry } from '@tickrate/registry';
import { createWarehouse } from '@tickrate/warehouse';

/** Brings every schema in PostgreSQL up to date, and the queue's where it is kept there. Safe to repeat. */
export async function migratePostgres(postgresUrl: string, queueUrl: string): Promise<void> {
  await Promise.all([
    migrateRegistry(postgresUrl),
    migrateAuth(postgresUrl),
    migrateLedger(postgresUrl),
    migrateQueue(queueUrl),
  ]);
}

/** Makes a table of events that was dropped anew only when that is asked for. */
export async function migrateClickHouse(
  clickhouseUrl: string,
  cluster: string | null,
  { restoreMissing = false } = {},
): Promise<void> {
  const warehouse = createWarehouse({ clickhouseUrl, cluster });
  try {
    await warehouse.migrate({ restoreMissing });
  } finally {
    await warehouse.close();
  }
}
