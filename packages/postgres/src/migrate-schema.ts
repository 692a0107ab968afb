import pg from 'pg';
import { translatePostgresFault } from './postgres-fault.ts';
import type { Queryable } from './queryable.ts';

/** A schema that one package owns. */
export interface Schema {
  readonly name: 'auth' | 'delivery' | 'registry';
  /** In order and forward only: a released migration never changes, and the next one corrects a mistake. */
  readonly migrations: readonly { readonly name: string; readonly sql: string }[];
  /** Runs in the same transaction after the migrations, each time. */
  readonly afterwards?: (tx: Queryable) => Promise<void>;
}

/**
 * Migrates the schema to the current version. Concurrent callers wait for each other. A failure leaves the schema
 * unchanged. Ignores migrations that this version does not know. Rejects with PostgresUnavailable, or with the error of
 * the server.
 */
export async function migrateSchema(postgresUrl: string, schema: Schema): Promise<void> {
  const client = new pg.Client({
    connectionString: postgresUrl,
    connectionTimeoutMillis: 10_000,
    application_name: 'tickrate-migration',
  });
  // A lost connection also rejects the statement that runs.
  client.on('error', () => undefined);
  const tx: Queryable = {
    query: async (sql, values) => (await client.query(sql, values && [...values])).rows,
  };
  try {
    await client.connect();
    await migrate(tx, schema);
  } catch (error) {
    throw translatePostgresFault(error);
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function migrate(tx: Queryable, { name, migrations, afterwards }: Schema): Promise<void> {
  await tx.query('BEGIN');
  await tx.query("SELECT pg_advisory_xact_lock(hashtextextended('tickrate-migration ' || $1, 0))", [name]);
  await tx.query(`CREATE SCHEMA IF NOT EXISTS ${name}`);
  await tx.query(
    `CREATE TABLE IF NOT EXISTS ${name}.migrations (name text PRIMARY KEY, applied timestamptz NOT NULL)`,
  );
  const rows = await tx.query<{ name: string }>(`SELECT name FROM ${name}.migrations`);
  const applied = new Set(rows.map((row) => row.name));
  for (const migration of migrations) {
    if (applied.has(migration.name)) continue;
    await tx.query(migration.sql);
    await tx.query(`INSERT INTO ${name}.migrations (name, applied) VALUES ($1, now())`, [migration.name]);
  }
  await afterwards?.(tx);
  await tx.query('COMMIT');
}
