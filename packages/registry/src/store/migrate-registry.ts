import pg from 'pg';
import { type Migration, migrations } from './migrations.ts';

/** Any number that no other owner of a schema in this database uses. */
const lockId = 4_772_905_318_227;

/**
 * Brings the schema `registry` up to date and resolves. Processes that do it at once wait for each other.
 * All or nothing: a failure leaves the schema as it was. Migrations that this version does not know are left alone.
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
