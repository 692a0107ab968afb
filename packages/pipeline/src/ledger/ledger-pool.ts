import pg from 'pg';
import { createPostgresPool } from '../queue/postgres-pool.ts';

/** The ledger did not answer in time, or is away. Whether the call took effect is not known; repeat it. */
export class LedgerUnavailable extends Error {
  override readonly name = 'LedgerUnavailable';
}

export interface LedgerPool {
  query<R extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<pg.QueryResult<R>>;
  readonly pool: pg.Pool;
  close(): Promise<void>;
}

export interface LedgerPoolOptions {
  readonly postgresUrl: string;
  readonly timeoutMs?: number;
  readonly maxConnections?: number;
  readonly onFault?: (fault: unknown) => void;
}

export function createLedgerPool(options: LedgerPoolOptions): LedgerPool {
  const { timeoutMs = 10_000, maxConnections = 4, onFault = () => undefined } = options;
  const { pool, close } = createPostgresPool(
    {
      connectionString: options.postgresUrl,
      max: maxConnections,
      connectionTimeoutMillis: timeoutMs,
      query_timeout: timeoutMs,
      statement_timeout: timeoutMs,
      application_name: 'tickrate-ledger',
      options: '-c default_transaction_isolation=read\\ committed -c synchronous_commit=on',
    },
    onFault,
  );

  return {
    pool,
    async query<R extends pg.QueryResultRow>(text: string, values: unknown[] = []) {
      try {
        return await pool.query<R>(text, values);
      } catch (fault) {
        throw isOurFault(fault)
          ? fault
          : new LedgerUnavailable('the ledger did not answer', { cause: fault });
      }
    },
    close,
  };
}

/** SQLSTATE classes 22, 23 and 42: data, constraint and statement faults, which repeating does not mend. */
function isOurFault(fault: unknown): boolean {
  return fault instanceof pg.DatabaseError && /^(22|23|42)/.test(fault.code ?? '');
}
