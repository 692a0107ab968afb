import { createHash } from 'node:crypto';
import { systemError } from '@tickrate/contract';
import pg from 'pg';

/** What statements are run on: the pool, or one transaction of it. */
export interface Queryable {
  query<Row extends pg.QueryResultRow>(sql: string, values?: readonly unknown[]): Promise<Row[]>;
}

/** Throws 6001 when Postgres is away or overloaded; any other fault is ours. */
export interface Database extends Queryable {
  /** All of it, or nothing. */
  transaction<T>(work: (tx: Queryable) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

export interface DatabaseOptions {
  readonly postgresUrl: string;
  readonly maxConnections: number;
  readonly onFault: (error: unknown) => void;
}

const timeoutMs = 10_000;

/** Connects when first used. */
export function createDatabase({ postgresUrl, maxConnections, onFault }: DatabaseOptions): Database {
  const pool = new pg.Pool({
    connectionString: postgresUrl,
    max: maxConnections,
    connectionTimeoutMillis: timeoutMs,
    query_timeout: timeoutMs,
    statement_timeout: timeoutMs,
    keepAlive: true,
  });
  pool.on('connect', (client) => client.on('error', onFault));
  pool.on('error', () => undefined);
  return {
    query: (sql, values) => translated(run(pool, sql, values)),
    transaction: (work) => translated(inTransaction(pool, work)),
    close: () => pool.end(),
  };
}

async function run<Row extends pg.QueryResultRow>(
  on: pg.Pool | pg.PoolClient,
  sql: string,
  values: readonly unknown[] = [],
): Promise<Row[]> {
  const { rows } = await on.query<Row>({ name: nameOf(sql), text: sql, values: [...values] });
  return rows;
}

const names = new Map<string, string>();

/** A statement with a name is parsed and planned once on a connection. All texts are constants, so they are few. */
function nameOf(sql: string): string {
  const known = names.get(sql);
  if (known !== undefined) return known;
  const name = createHash('sha256').update(sql).digest('base64url');
  names.set(sql, name);
  return name;
}

async function inTransaction<T>(pool: pg.Pool, work: (tx: Queryable) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let broken = false;
  try {
    await client.query('BEGIN');
    const result = await work({ query: (sql, values) => run(client, sql, values) });
    await client.query('COMMIT');
    return result;
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {
      broken = true;
    });
    throw error;
  } finally {
    client.release(broken);
  }
}

// Connection, resources, operator intervention, rollback of a conflict; then read-only, lock timeout.
const passing = ['08', '53', '57', '40', '25006', '55P03'];

async function translated<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw isPassing(error)
      ? systemError('temporarilyUnavailable', { retryAfterSeconds: 1 }, { cause: error })
      : error;
  }
}

function isPassing(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof pg.DatabaseError) return passing.some((code) => error.code?.startsWith(code));
  return (
    'syscall' in error || error instanceof AggregateError || Object.getPrototypeOf(error) === Error.prototype
  );
}

/** Whether a unique index refused the row: someone else was first. */
export function isDuplicate(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '23505';
}
