import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EmbeddedServer } from '@tickrate/embedded';

/** A ClickHouse only for customers' queries, which ends itself on queries that it cannot interrupt. */
export interface QueryEngine {
  readonly url: string;
  /** The number of restarts. */
  readonly restarts: number;
  stop(): Promise<void>;
}

export interface QueryEngineOptions {
  readonly queryLimitMs: number;
  /** The data folder of the server whose events it reads. */
  readonly readsFrom: string;
}

/** Restarted whenever it ends, as in `npm start`. */
export async function startQueryEngine(options: QueryEngineOptions): Promise<QueryEngine> {
  const { startClickHouse } = await import('@tickrate/embedded');
  const folder = await mkdtemp(join(tmpdir(), 'tickrate-test-'));
  const launch = (port: number): Promise<EmbeddedServer> =>
    startClickHouse({
      user: 'default',
      password: 'test',
      database: 'default',
      dataDir: folder,
      port,
      ...options,
      fast: true,
      eventDatabases: ['tickrate'],
    });
  let server = await launch(0);
  const { url, port } = server;
  let restarts = 0;
  let isStopping = false;
  const keeping = keep();

  async function keep(): Promise<void> {
    for (;;) {
      await server.exited;
      if (isStopping) return;
      server = await launch(port);
      restarts += 1;
    }
  }

  return {
    url,
    get restarts() {
      return restarts;
    },
    async stop() {
      isStopping = true;
      await server.stop();
      await keeping;
      await rm(folder, { recursive: true, force: true });
    },
  };
}
