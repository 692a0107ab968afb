import { join } from 'node:path';
import {
  type EmbeddedOptions,
  type EmbeddedServer,
  startClickHouse,
  startPostgres,
} from '@tickrate/embedded';
import type { LogFile } from '../terminal/log-file.ts';
import type { Launcher } from './kept-process.ts';

export type DatabaseName = 'postgres' | 'clickhouse' | 'queries';

const user = 'tickrate';
const database = 'tickrate';
/** A little longer than the time limit of a query, so that the engine can reject it first. */
const queryLimitMs = 31_000;

export type Databases = ReturnType<typeof createDatabases>;

/** PostgreSQL and ClickHouse from npm packages, each with a folder in the data folder. */
export function createDatabases(plan: {
  readonly folder: string;
  readonly ports: Readonly<Record<DatabaseName, number>>;
  readonly password: string;
  readonly logs: Readonly<Record<DatabaseName, LogFile>>;
}) {
  const optionsOf = (name: DatabaseName): EmbeddedOptions => ({
    dataDir: join(plan.folder, name),
    port: plan.ports[name],
    user,
    password: plan.password,
    database,
    onLog: (line) => plan.logs[name].write(`${line}\n`),
  });
  const credentials = `${user}:${plan.password}@127.0.0.1`;
  return {
    postgres: createLauncher('PostgreSQL', () => startPostgres(optionsOf('postgres'))),
    clickhouse: createLauncher('ClickHouse', () => startClickHouse(optionsOf('clickhouse'))),
    /** A second ClickHouse for customers' queries. It reads the files of the first, and can end at any time. */
    queries: createLauncher('Query engine', () =>
      startClickHouse({ ...optionsOf('queries'), queryLimitMs, readsFrom: join(plan.folder, 'clickhouse') }),
    ),
    /** Their addresses, which stay the same after a restart. */
    urls: {
      postgres: `postgres://${credentials}:${plan.ports.postgres}/${database}`,
      clickhouse: `http://${credentials}:${plan.ports.clickhouse}`,
      queries: `http://${credentials}:${plan.ports.queries}`,
    },
  };
}

// An embedded server is ready when its start resolves.
function createLauncher(name: string, launch: () => Promise<EmbeddedServer>): Launcher {
  return { name, launch, whenReady: async () => ({ ready: true }) };
}
