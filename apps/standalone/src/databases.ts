import { join } from 'node:path';
import {
  type EmbeddedOptions,
  type EmbeddedServer,
  startClickHouse,
  startPostgres,
} from '@tickrate/embedded';
import type { Launcher } from './kept-process.ts';
import type { LogFile } from './log-file.ts';

export interface DatabasePlan {
  readonly folder: string;
  readonly ports: { readonly postgres: number; readonly clickhouse: number };
  readonly password: string;
  readonly logs: { readonly postgres: LogFile; readonly clickhouse: LogFile };
}

export interface Databases {
  readonly postgres: Launcher;
  readonly clickhouse: Launcher;
  /** Where they answer once they run: the same after every relaunch. */
  readonly urls: { readonly postgres: string; readonly clickhouse: string };
}

const user = 'tickrate';
const database = 'tickrate';

/** PostgreSQL and ClickHouse from npm packages, each with its folder below the data folder. */
export function createDatabases(plan: DatabasePlan): Databases {
  const optionsOf = (name: 'postgres' | 'clickhouse'): EmbeddedOptions => ({
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
    urls: {
      postgres: `postgres://${credentials}:${plan.ports.postgres}/${database}`,
      clickhouse: `http://${credentials}:${plan.ports.clickhouse}`,
    },
  };
}

// An embedded server is ready when its start resolves.
function createLauncher(name: string, launch: () => Promise<EmbeddedServer>): Launcher {
  return { name, launch, whenReady: async () => ({ ready: true }) };
}
