import { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';

export interface RegistryPoolOptions {
  readonly postgresUrl: string;
  readonly maxConnections: number;
  readonly timeoutMs: number;
  /** Called for every lost connection. It is replaced at the next use. */
  readonly onFault: (error: unknown) => void;
}

export interface RegistryPool {
  readonly pool: pg.Pool;
  /** Ends all connections gracefully, and in any case within a second. */
  close(): Promise<void>;
}

const politeMs = 1_000;

/** Connects at first use. A query that exceeds its timeout fails, and its connection is dropped. */
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
  // The pool only listens to idle clients: the loss of one in use would end the process.
  pool.on('connect', (client) => client.on('error', options.onFault));
  // It forwards errors that the listener above already received.
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
