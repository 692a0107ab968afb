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

/** PostgreSQL and ClickHouse from npm packages, each with a folder in the data folder. */
export function createDatabases({
  folder,
  ports,
  password,
  openLog,
}: {
  readonly folder: string;
  readonly ports: Readonly<Record<DatabaseName, number>>;
  readonly password: string;
  readonly openLog: (name: string) => LogFile;
}) {
  const optionsOf = (name: DatabaseName): EmbeddedOptions => {
    const log = openLog(name);
    const onLog = (line: string) => log.write(`${line}\n`);
    return { dataDir: join(folder, name), port: ports[name], user, password, database, onLog };
  };
  const credentials = `${user}:${password}@127.0.0.1`;
  const readsFrom = join(folder, 'clickhouse');
  return {
    launchers: {
      postgres: createLauncher('PostgreSQL', startPostgres, optionsOf('postgres')),
      clickhouse: createLauncher('ClickHouse', startClickHouse, optionsOf('clickhouse')),
      /** A second ClickHouse for customers' queries. It reads the files of the first, and can end at any time. */
      queries: createLauncher('Query engine', startClickHouse, {
        ...optionsOf('queries'),
        queryLimitMs,
        readsFrom,
      }),
    },
    /** Their addresses, which stay the same after a restart. */
    urls: {
      postgres: `postgres://${credentials}:${ports.postgres}/${database}`,
      clickhouse: `http://${credentials}:${ports.clickhouse}`,
      queries: `http://${credentials}:${ports.queries}`,
    },
  };
}

function createLauncher(
  name: string,
  start: (options: EmbeddedOptions) => Promise<EmbeddedServer>,
  options: EmbeddedOptions,
): Launcher {
  // An embedded server is ready when its start resolves.
  return { name, launch: () => start(options), whenReady: async () => ({ ready: true }) };
}
