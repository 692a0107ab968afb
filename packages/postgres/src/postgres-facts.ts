import { createConnectionPool } from './connection-pool.ts';
import { translatePostgresFault } from './postgres-fault.ts';

/** Facts about a PostgreSQL server for operators. */
export interface PostgresFacts {
  /** 180004 for 18.4. */
  readonly version: number;
  readonly clockMs: number;
  readonly maxConnections: number;
  /** Settings without which a power failure loses accepted events. */
  readonly fsync: boolean;
  readonly fullPageWrites: boolean;
  readonly synchronousCommit: string;
}

/** Queries the server once. Throws PostgresUnavailable if it does not answer. */
export async function readPostgresFacts(postgresUrl: string, timeoutMs: number): Promise<PostgresFacts> {
  const { pool, close } = createConnectionPool({
    postgresUrl,
    maxConnections: 1,
    timeoutMs,
    queryTimeoutMs: timeoutMs,
    name: 'tickrate-facts',
    // Those of the server are what is asked for.
    settings: {},
    onFault: () => undefined,
  });
  try {
    const { rows } = await pool.query<Record<string, string>>(`
SELECT current_setting('server_version_num') AS version, current_setting('max_connections') AS connections,
  current_setting('fsync') AS fsync, current_setting('full_page_writes') AS pages,
  current_setting('synchronous_commit') AS commit, extract(epoch FROM clock_timestamp()) * 1000 AS clock`);
    const row = rows[0] ?? {};
    return {
      version: Number(row['version']),
      clockMs: Number(row['clock']),
      maxConnections: Number(row['connections']),
      fsync: row['fsync'] === 'on',
      fullPageWrites: row['pages'] === 'on',
      synchronousCommit: row['commit'] ?? '',
    };
  } catch (error) {
    throw translatePostgresFault(error);
  } finally {
    await close();
  }
}
