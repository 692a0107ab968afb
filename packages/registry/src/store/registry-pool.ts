import { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';

export interface RegistryPoolOptions {
  readonly postgresUrl: string;
  readonly maxConnections: number;
  readonly timeoutMs: number;
  /** Told of every connection that was lost. It is replaced when next needed. */
  readonly onFault: (error: unknown) => void;
}

export interface RegistryPool {
  readonly pool: pg.Pool;
  /** Ends all connections: politely, and within a second in any case. */
  close(): Promise<void>;
}

const politeMs = 1_000;

/** Connects to nothing until first asked. A query that is not answered in time fails and its connection is dropped. */
export function createRegistryPool(options: RegistryPoolOptions): RegistryPool {
  const sockets = new Set<Socket>();
  const pool = new pg.Pool({
    connectionString: options.postgresUrl,
    max: options.maxConnections,
    connectionTimeoutMillis: options.timeoutMs,
    query_timeout: options.timeoutMs,
    statement_timeout: options.timeoutMs,
    keepAlive: true,
    stream: () => track(new Socket(), sockets),
  });
  // The pool listens to idle clients only: the loss of one in use would end the process.
  pool.on('connect', (client) => client.on('error', options.onFault));
  // It passes on what the listener above was told of already.
  pool.on('error', () => undefined);
  return {
    pool,
    async close() {
      const grace = new AbortController();
      const ended = pool.end().finally(() => grace.abort());
      await delay(politeMs, undefined, grace).catch(() => undefined);
      for (const socket of sockets) socket.destroy();
      await ended;
    },
  };
}

function track(socket: Socket, sockets: Set<Socket>): Socket {
  sockets.add(socket);
  return socket.on('close', () => sockets.delete(socket));
}
