import {
  type DatabaseConnection,
  type Driver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
} from 'kysely';
import type { RegistryDatabase } from './database-schema.ts';

/** A transaction of the caller in the same database. The caller commits it or rolls it back. */
export interface Statements {
  query<Row extends Record<string, unknown>>(sql: string, values?: readonly unknown[]): Promise<Row[]>;
}

/** For statements only: it starts and ends no transaction, and closes nothing. */
export function onTransaction(statements: Statements): Kysely<RegistryDatabase> {
  return new Kysely<RegistryDatabase>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => driverOn(statements),
      createIntrospector: (database) => new PostgresIntrospector(database),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  });
}

function driverOn(statements: Statements): Driver {
  const connection = {
    async executeQuery({ sql, parameters }) {
      return { rows: await statements.query(sql, parameters) };
    },
    streamQuery: refuse,
  } as DatabaseConnection;
  return {
    init: async () => undefined,
    acquireConnection: async () => connection,
    beginTransaction: refuse,
    commitTransaction: refuse,
    rollbackTransaction: refuse,
    releaseConnection: async () => undefined,
    destroy: async () => undefined,
  };
}

function refuse(): never {
  throw new Error('only the owner can start or end its transaction');
}
