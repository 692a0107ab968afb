import {
  createLedger,
  createProducer,
  createQueueMonitor,
  createUsage,
  migrateLedger,
} from '@tickrate/pipeline';
import { migrateRegistry } from '@tickrate/registry';
import { freshClickHouse, freshPostgres } from '@tickrate/testkit';
import { createWarehouse } from '@tickrate/warehouse';
import { afterAll } from 'vitest';
import { environmentOf } from './worker-bench.ts';

/** New databases for the workers of a test file, with the queue in PostgreSQL. Closed after the tests of the file. */
export async function startWorkerStores() {
  const { url: postgresUrl } = await freshPostgres();
  const { url: clickhouseUrl, database, run } = await freshClickHouse();
  const warehouse = createWarehouse({ clickhouseUrl, database });
  await Promise.all([migrateLedger(postgresUrl), migrateRegistry(postgresUrl), warehouse.migrate()]);
  const ledger = createLedger({ postgresUrl });
  const usage = createUsage({ postgresUrl });
  const producer = createProducer({ queueUrl: postgresUrl, shards: 1 });
  const monitor = createQueueMonitor({ queueUrl: postgresUrl, shards: 1 });
  await producer.start();
  await monitor.start();
  afterAll(async () => {
    await Promise.all([producer.stop(), monitor.stop()]);
    await Promise.all([ledger.close(), usage.close(), warehouse.close()]);
  });
  const environment = environmentOf({ postgresUrl, queueUrl: postgresUrl, clickhouseUrl, database });
  return {
    postgresUrl,
    clickhouseUrl,
    database,
    run,
    environment,
    warehouse,
    ledger,
    usage,
    producer,
    monitor,
  };
}
