import { migrateAuth } from '@tickrate/accounts';
import { migrateLedger, migrateQueue } from '@tickrate/pipeline';
import { migrateRegistry } from '@tickrate/registry';
import { createWarehouse } from '@tickrate/warehouse';

/** Updates every schema in PostgreSQL, and the schema of a queue in PostgreSQL. Safe to repeat. */
export async function migratePostgres(postgresUrl: string, queueUrl: string): Promise<void> {
  await Promise.all([
    migrateRegistry(postgresUrl),
    migrateAuth(postgresUrl),
    migrateLedger(postgresUrl),
    migrateQueue(queueUrl),
  ]);
}

/** Creates a dropped events table again only with `restoreMissing`. */
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
