import { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';

export interface PostgresPool {
  readonly pool: pg.Pool;
  /** Ends all connections, politely at first, and within a second in any case. */
  close(): Promise<void>;
}

const politeMs = 1_000;

/** A pool whose lost connections end no process, and that can be closed although Postgres hangs. */
export function createPostgresPool(config: pg.PoolConfig, onFault: (fault: unknown) => void): PostgresPool {
  const sockets = new Set<Socket>();
  const pool = new pg.Pool({ ...config, keepAlive: true, stream: () => track(new Socket(), sockets) });
  pool.on('connect', (client) => client.on('error', onFault)); // the pool itself listens to idle clients only
  pool.on('error', () => undefined); // it repeats what the client told
  return {
    pool,
    async close() {
      const closed = new AbortController();
      const ended = pool.end().finally(() => closed.abort());
      const late = delay(politeMs, undefined, { signal: closed.signal }).catch(() => undefined);
      await Promise.race([ended, late]);
      for (const socket of sockets) socket.destroy();
    },
  };
}

function track(socket: Socket, sockets: Set<Socket>): Socket {
  sockets.add(socket);
  return socket.once('close', () => sockets.delete(socket));
}
