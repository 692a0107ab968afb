import {
  type DatabaseConnection,
  type Driver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
} from 'kysely';
import type { RegistryDatabase } from './database-schema.ts';

/** A transaction of somebody else in the same database: what runs on it is committed, or not, by its owner. */
export interface Statements {
  query<Row extends Record<string, unknown>>(sql: string, values?: readonly unknown[]): Promise<Row[]>;
}

/** For statements only: it begins and ends no transaction, and closes nothing. */
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
  throw new Error('a transaction is begun and ended by its owner');
}
