export {
  type ConnectionPool,
  type ConnectionPoolOptions,
  createConnectionPool,
  type PgClient,
  type PgPool,
} from './connection-pool.ts';
export { Listener, type Listening } from './listener.ts';
export { type Migration, migrateSchema, type Schema } from './migrate-schema.ts';
export {
  createPostgres,
  type Postgres,
  type PostgresOptions,
  type PostgresSource,
  usePostgres,
} from './postgres.ts';
export { type PostgresFacts, readPostgresFacts } from './postgres-facts.ts';
export {
  outcomeOf,
  type PostgresOutcome,
  PostgresUnavailable,
  translatePostgresFault,
  type UnavailableOutcome,
  violatedConstraint,
} from './postgres-fault.ts';
export type { Queryable } from './queryable.ts';
