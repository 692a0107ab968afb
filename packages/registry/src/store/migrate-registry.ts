import pg from 'pg';
import { type Migration, migrations } from './migrations.ts';

/** A number that no other schema owner in this database uses. */
const lockId = 4_772_905_318_227;

/**
 * Migrates the schema `registry` to the current version. Concurrent callers wait for each other. A failure leaves the
 * schema unchanged. Ignores migrations that this version does not know.
 */
export async function migrateRegistry(postgresUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: postgresUrl, connectionTimeoutMillis: 10_000 });
  await client.connect();
  try {
    await client.query('BEGIN');
    await client.query('SELECT pg_advisory_xact_lock($1)', [lockId]);
    for (const migration of await missingMigrations(client)) await apply(client, migration);
    await client.query('COMMIT');
  } finally {
    await client.end();
  }
}

async function missingMigrations(client: pg.Client): Promise<Migration[]> {
  await client.query('CREATE SCHEMA IF NOT EXISTS registry');
  await client.query(
    'CREATE TABLE IF NOT EXISTS registry.migrations (name text PRIMARY KEY, applied timestamptz NOT NULL)',
  );
  const { rows } = await client.query<{ name: string }>('SELECT name FROM registry.migrations');
  const applied = new Set(rows.map((row) => row.name));
  return migrations.filter((migration) => !applied.has(migration.name));
}

async function apply(client: pg.Client, migration: Migration): Promise<void> {
  await client.query(migration.sql);
  await client.query('INSERT INTO registry.migrations (name, applied) VALUES ($1, now())', [migration.name]);
}
