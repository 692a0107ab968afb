import { Socket } from 'node:net';
import { sleep } from '@tickrate/platform';
import pg from 'pg';
import { PostgresUnavailable, translatePostgresFault } from './postgres-fault.ts';

export type PgPool = pg.Pool;

export interface ConnectionPoolOptions {
  readonly postgresUrl: string;
  readonly maxConnections: number;
  /** The longest wait for a connection. */
  readonly timeoutMs: number;
  /** The longest wait for an answer. The connection is dropped then. */
  readonly queryTimeoutMs: number;
  /** Shown in `pg_stat_activity`. */
  readonly name: string;
  /** Settings of every session. */
  readonly settings: Readonly<Record<string, string>>;
  /** Called for every lost connection. It is replaced at the next use. */
  readonly onFault: (error: unknown) => void;
}

export interface ConnectionPool {
  readonly pool: pg.Pool;
  /**
   * Settles as a call of the driver does, with its fault translated. Rejects when the pool closes first: the driver
   * leaves a call that waits for a connection unanswered then.
   */
  settle<T>(call: Promise<T>): Promise<T>;
  /** Ends all connections gracefully, and in any case within two seconds. */
  close(): Promise<void>;
}

/** Longer than the pauses between repeated queries, each of which would otherwise connect anew. */
const idleMs = 60_000;
const gracefulMs = 1_000;
const longestConnectMs = 5_000;

/** Connects at first use. A lost connection ends no process, and a server that hangs does not delay the close. */
export function createConnectionPool(options: ConnectionPoolOptions): ConnectionPool {
  const sockets = new Set<Socket>();
  const openCalls = new Set<(fault: unknown) => void>();
  const pool = new pg.Pool({
    connectionString: options.postgresUrl,
    max: options.maxConnections,
    idleTimeoutMillis: idleMs,
    connectionTimeoutMillis: options.timeoutMs,
    query_timeout: options.queryTimeoutMs,
    application_name: options.name,
    options: asStartupOptions(options.settings),
    keepAlive: true,
    stream: () => track(new Socket(), sockets),
    Client: QuickClient,
  });
  // The pool only listens to idle clients: the loss of one in use would end the process.
  pool.on('connect', (client) => client.on('error', options.onFault));
  // It forwards errors that the listener above already received.
  pool.on('error', () => undefined);
  return {
    pool,
    async settle(call) {
      const closed = Promise.withResolvers<never>();
      openCalls.add(closed.reject);
      try {
        return await Promise.race([call, closed.promise]);
      } catch (fault) {
        throw translatePostgresFault(fault);
      } finally {
        openCalls.delete(closed.reject);
      }
    },
    async close() {
      const closed = new AbortController();
      const ended = pool.end().finally(() => closed.abort());
      await sleep(gracefulMs, closed.signal);
      for (const socket of sockets) socket.destroy();
      // Ends with the sockets, unless the owner of a transaction waits for something else.
      await Promise.race([ended, sleep(gracefulMs, closed.signal)]);
      for (const reject of openCalls) reject(new PostgresUnavailable('away'));
    },
  };
}

/** A call may wait long for a free connection of a busy process, but a server that does not answer is away sooner. */
class QuickClient extends pg.Client {
  constructor(config: pg.ClientConfig = {}) {
    const timeoutMs = config.connectionTimeoutMillis ?? longestConnectMs;
    super({ ...config, connectionTimeoutMillis: Math.min(timeoutMs, longestConnectMs) });
  }
}

function asStartupOptions(settings: Readonly<Record<string, string>>): string {
  const escaped = (value: string) => value.replaceAll(/[\\ ]/g, (character) => `\\${character}`);
  return Object.entries(settings)
    .map(([name, value]) => `-c ${name}=${escaped(value)}`)
    .join(' ');
}

function track(socket: Socket, sockets: Set<Socket>): Socket {
  sockets.add(socket);
  return socket.once('close', () => sockets.delete(socket));
}
