import { migrateAuth } from '@tickrate/accounts';
import { createErasures, createQuarantine, createUsage, migrateLedger } from '@tickrate/pipeline';
import { createPostgres, type Postgres } from '@tickrate/postgres';
import { createRegistry, createRegistryCache, migrateRegistry } from '@tickrate/registry';
import { createTcpProxy, freshPostgres } from '@tickrate/testkit';
import { beforeAll, expect, onTestFinished, test } from 'vitest';

const { url } = await freshPostgres();

beforeAll(async () => {
  await migrateRegistry(url);
  await migrateAuth(url);
  await migrateLedger(url);
});

function open(postgresUrl: string): Postgres {
  const postgres = createPostgres({ postgresUrl, name: 'one-pool', maxConnections: 3 });
  onTestFinished(() => postgres.close());
  return postgres;
}

/** One call of every store that a process opens on its pool. */
function callsOf(postgres: Postgres) {
  const registry = createRegistry({ postgres, now: Date.now });
  const cache = createRegistryCache({ postgres, now: Date.now, onFault: () => undefined });
  onTestFinished(() => registry.close());
  onTestFinished(() => cache.stop());
  const erasures = createErasures({ postgres, newId: () => '' });
  return [
    () => postgres.query('SELECT FROM auth.accounts'),
    () => postgres.transaction((tx) => tx.query('SELECT FROM auth.accounts')),
    () => registry.projects(),
    () => cache.settings('p-aaaaaaaaaaaa'),
    () => createUsage({ postgres }).totals(),
    () => createQuarantine({ postgres }).count(null),
    () => erasures.list('p-aaaaaaaaaaaa'),
  ];
}

test('all stores of a process share the connections of one pool', async () => {
  const calls = callsOf(open(url));
  await Promise.all(Array.from({ length: 10 }, () => calls).flatMap((each) => each.map((call) => call())));
  const observer = createPostgres({ postgresUrl: url, name: 'observer' });
  onTestFinished(() => observer.close());
  const connections = await observer.query(
    "SELECT pid FROM pg_stat_activity WHERE application_name = 'one-pool' AND datname = current_database()",
  );
  expect(connections).toHaveLength(3);
});

test('an absent Postgres is the same outcome in every store', async () => {
  const proxy = await createTcpProxy(url);
  onTestFinished(() => proxy.close());
  proxy.refuse();
  const outcomes = await Promise.allSettled(callsOf(open(proxy.url)).map(async (call) => call()));
  expect(outcomes).toEqual(
    outcomes.map(() => ({
      status: 'rejected',
      reason: expect.objectContaining({ name: 'PostgresUnavailable', code: 6001, outcome: 'away' }),
    })),
  );
});
