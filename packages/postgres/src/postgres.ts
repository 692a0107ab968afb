import { createHash } from 'node:crypto';
import { inStatementSpan, type Metrics, noteWrite, settleWithin } from '@tickrate/platform';
import type pg from 'pg';
import { type ConnectionPool, createConnectionPool } from './connection-pool.ts';
import { Listener, type Listening, listenerTimeoutMs } from './listener.ts';
import { PostgresUnavailable } from './postgres-fault.ts';
import type { Queryable } from './queryable.ts';

/** The connections of one process to one database. Its owner closes it after everything that uses it. */
export interface Postgres extends Queryable {
  /** Commits what the work did, or nothing if it rejects. An error of the work passes unchanged. */
  transaction<T>(work: (tx: Queryable) => Promise<T>): Promise<T>;
  /** The same statements with a shorter timeout, which includes the wait for a connection. */
  withTimeout(timeoutMs: number): Queryable;
  /**
   * Calls `onNotification` with the payload of every notification of the channel, and with null after every connection,
   * because notifications may have been missed before. All channels share one connection, which is replaced when it is
   * lost.
   */
  listen(channel: string, onNotification: (payload: string | null) => void): Listening;
  /** Ends all connections gracefully, and in any case within two seconds. */
  close(): Promise<void>;
}

export interface PostgresOptions {
  readonly postgresUrl: string;
  readonly maxConnections?: number;
  /** The longest wait for a connection, and for an answer. */
  readonly timeoutMs?: number;
  /** Shown in `pg_stat_activity`. */
  readonly name?: string;
  /** Receives gauges of the pool. */
  readonly metrics?: Metrics;
  /** Called for every lost connection, which is replaced at the next use, and once while no connection can listen. */
  readonly onFault?: (error: unknown) => void;
}

/** Connects at first use. */
export function createPostgres(options: PostgresOptions): Postgres {
  const { postgresUrl, maxConnections = 4, timeoutMs = 10_000, name = 'tickrate' } = options;
  const { onFault = () => undefined } = options;
  const connections = createConnectionPool({
    postgresUrl,
    maxConnections,
    timeoutMs,
    // The server ends a slow statement first: then the connection stays usable.
    queryTimeoutMs: timeoutMs + 1_000,
    name,
    settings: { ...durableSettings, statement_timeout: String(timeoutMs) },
    onFault,
  });
  if (options.metrics) addPoolGauges(options.metrics, connections, maxConnections);
  const withTimeout = (shorterMs: number): Queryable => ({
    query: (sql, values) =>
      settleWithin(shorterMs, runOnce(connections, { sql, values, timeoutMs: shorterMs }), () => {
        const outcomeUnknown = mayWrite(sql);
        if (outcomeUnknown) noteWrite();
        return new PostgresUnavailable('timeout', { outcomeUnknown });
      }),
  });
  const listener = new Listener({ postgresUrl, name, onFault, pool: withTimeout(listenerTimeoutMs) });
  return {
    query: (sql, values) => inStatementSpan('postgresql', sql, () => runOnce(connections, { sql, values })),
    transaction: (work) =>
      inStatementSpan('postgresql', 'transaction', () => inTransaction(connections, work)),
    withTimeout,
    listen: (channel, onNotification) => listener.listen(channel, onNotification),
    async close() {
      await Promise.all([listener.stop(), connections.close()]);
    },
  };
}

function addPoolGauges(metrics: Metrics, { pool }: ConnectionPool, maxConnections: number): void {
  metrics.gauge({
    name: 'tickrate_postgres_connections',
    help: 'Open connections to PostgreSQL, by whether a statement or transaction uses them',
    labels: ['state'],
    read: () => [
      { state: 'used', value: pool.totalCount - pool.idleCount },
      { state: 'idle', value: pool.idleCount },
    ],
  });
  metrics.gauge({
    name: 'tickrate_postgres_connections_limit',
    help: 'Connections that the pool opens at most',
    read: () => maxConnections,
  });
  metrics.gauge({
    name: 'tickrate_postgres_waiting_calls',
    help: 'Calls that wait for a connection',
    read: () => pool.waitingCount,
  });
}

/** A Postgres that the caller owns, or the address of one: then the user opens its own. */
export type PostgresSource = { readonly postgres: Postgres } | PostgresOptions;

/** `close` closes what this call opened. */
export function usePostgres(
  source: PostgresSource,
): Pick<Postgres, 'close'> & { readonly postgres: Postgres } {
  if ('postgres' in source) return { postgres: source.postgres, close: async () => undefined };
  const postgres = createPostgres(source);
  return { postgres, close: () => postgres.close() };
}

/** A commit is on the disk when it is confirmed, whatever the default of the server is. */
const durableSettings = { default_transaction_isolation: 'read committed', synchronous_commit: 'on' };

interface Statement {
  readonly sql: string;
  readonly values?: readonly unknown[] | undefined;
  readonly timeoutMs?: number;
}

async function runOnce<Row extends object>(
  { pool, settle }: ConnectionPool,
  statement: Statement,
): Promise<Row[]> {
  const client = await settle(pool.connect());
  let fault: unknown = null;
  try {
    const answer = settle(client.query(asQuery(statement)));
    return (await (mayWrite(statement.sql) ? written(answer) : answer)).rows as Row[];
  } catch (error) {
    fault = error;
    throw error;
  } finally {
    client.release(fault !== null);
  }
}

/** A SELECT writes only if it calls a function of our schemas: `SELECT auth.ban_account(…)`, `SELECT * FROM delivery.seal(…)`. */
function mayWrite(sql: string): boolean {
  return !/^\s*SELECT\b(?!\s+(?:\*\s+FROM\s+)?\w+\.\w+\()/i.test(sql);
}

/** Settles as a write that was sent. Without an answer, Postgres may have executed it. */
async function written<T>(answer: Promise<T>): Promise<T> {
  try {
    const result = await answer;
    noteWrite();
    return result;
  } catch (error) {
    if (!(error instanceof PostgresUnavailable && error.outcome === 'away')) throw error;
    noteWrite();
    const { sqlState } = error;
    throw new PostgresUnavailable('away', { cause: error, sqlState, outcomeUnknown: true });
  }
}

async function inTransaction<T>(
  { pool, settle }: ConnectionPool,
  work: (tx: Queryable) => Promise<T>,
): Promise<T> {
  const client = await settle(pool.connect());
  let writes = false;
  const run: Queryable['query'] = async (sql, values) =>
    (await settle(client.query(asQuery({ sql, values })))).rows;
  const query: Queryable['query'] = (sql, values) => {
    writes ||= mayWrite(sql);
    return run(sql, values);
  };
  let usable = true;
  try {
    await run('BEGIN');
    const result = await work({ query });
    await (writes ? written(run('COMMIT')) : run('COMMIT'));
    return result;
  } catch (error) {
    // Without an answer the connection is not in a known state. The server rolls back when it is closed.
    usable = !(error instanceof PostgresUnavailable && error.outcome === 'away');
    if (usable)
      usable = await run('ROLLBACK').then(
        () => true,
        () => false,
      );
    throw error;
  } finally {
    client.release(!usable);
  }
}

/** A statement with a name is parsed and planned once on a connection. */
function asQuery({ sql, values, timeoutMs }: Statement): pg.QueryConfig {
  const timeout = timeoutMs !== undefined && { query_timeout: timeoutMs };
  return values === undefined
    ? { text: sql, ...timeout }
    : { name: nameOf(sql), text: sql, values: [...values], ...timeout };
}

const names = new Map<string, string>();

function nameOf(sql: string): string {
  const known = names.get(sql);
  if (known !== undefined) return known;
  const name = createHash('sha256').update(sql).digest('base64url');
  names.set(sql, name);
  return name;
}
