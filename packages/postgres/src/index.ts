export { type ConnectionPool, createConnectionPool, type PgPool } from './connection-pool.ts';
export { Listener, type Listening } from './listener.ts';
export { migrateSchema, type Schema } from './migrate-schema.ts';
export { createPostgres, type Postgres, type PostgresSource, usePostgres } from './postgres.ts';
export { readPostgresFacts } from './postgres-facts.ts';
export { outcomeOf, PostgresUnavailable, violatedConstraint } from './postgres-fault.ts';
export type { Queryable } from './queryable.ts';
export { milliseconds } from './queryable.ts';
