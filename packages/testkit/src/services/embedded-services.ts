import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EmbeddedOptions, EmbeddedServer } from '@tickrate/embedded';
import type { RunningService } from './service-broker.ts';

// The engines are loaded only on request: unit tests and runs with given URLs need none.

export async function startEmbeddedPostgres(): Promise<RunningService> {
  const { startPostgres } = await import('@tickrate/embedded');
  return startInFreshFolder(startPostgres, { user: 'postgres', database: 'postgres' });
}

export async function startEmbeddedClickHouse(): Promise<RunningService> {
  const { startClickHouse } = await import('@tickrate/embedded');
  const eventDatabases = [...testDatabases];
  return startInFreshFolder(startClickHouse, { user: 'default', database: 'default', eventDatabases });
}

async function startInFreshFolder(
  start: (options: EmbeddedOptions) => Promise<EmbeddedServer>,
  access: Pick<EmbeddedOptions, 'user' | 'database' | 'eventDatabases'>,
): Promise<RunningService> {
  const folder = await mkdtemp(join(tmpdir(), 'tickrate-test-'));
  // As root, PostgreSQL runs under another account, which needs access.
  await chmod(folder, 0o755);
  const server = await start({ ...access, password: 'test', dataDir: folder, port: 0, fast: true });
  return {
    url: server.url,
    async stop() {
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

const count = 1_000;

/** The ClickHouse databases of the test files: the engine must know them at its start. */
export const testDatabases: readonly string[] = Array.from({ length: count }, (_, n) => `test_${n}`);
