import { createRequire } from 'node:module';
import { parseEngineError } from './engine-error.ts';

export interface QueryOutcome {
  readonly bytes: Uint8Array;
  readonly rowsRead: number;
  readonly bytesRead: number;
  /** Seconds. */
  readonly elapsed: number;
}

export interface WriteOutcome {
  readonly rowsWritten: number;
  readonly bytesWritten: number;
  /** Seconds. */
  readonly elapsed: number;
}

/** The engine chooses the id of a query itself. This setting, which it does not use, carries the client's id. */
export const ID_SETTING = 'chdb_client_name';

interface Handle {
  readonly handle: unique symbol;
}

interface Addon {
  CreateConnection(folder: string, args: readonly string[]): Handle;
  CloseConnection(handle: Handle): void;
  QueryAsyncConnection(handle: Handle, sql: string, format: string): Promise<QueryOutcome>;
  InsertRawAsyncConnection(
    handle: Handle,
    sql: string,
    tail: Uint8Array,
    countLines: boolean,
  ): Promise<WriteOutcome>;
}

const PACKAGES: Readonly<Record<string, string>> = {
  'linux-x64': '@chdb/lib-linux-x64-gnu',
  'linux-arm64': '@chdb/lib-linux-arm64-gnu',
  'darwin-x64': '@chdb/lib-darwin-x64',
  'darwin-arm64': '@chdb/lib-darwin-arm64',
};

/** Makes clickhouse-local behave like a server, without deferred inserts. */
const SESSION_ARGUMENTS = ['--implicit_select=0', '--allow_introspection_functions=0', '--async_insert=0'];
const CACHE_BYTES = 256 * 1024 * 1024;
const NOTHING = Buffer.from(' ');

/** Each has the databases as npm packages. */
export const supportedPlatforms: readonly string[] = Object.keys(PACKAGES);

/** The path of the engine's native library for this machine. Throws if npm has none. */
export function engineLibrary(platform = `${process.platform}-${process.arch}`): string {
  const name = PACKAGES[platform];
  if (name === undefined) throw new Error(`no package of the engine for ${platform}`);
  const fromHere = createRequire(import.meta.url);
  return createRequire(fromHere.resolve('chdb')).resolve(name);
}

export type Engine = Awaited<ReturnType<typeof openEngine>>;

export async function openEngine(options: {
  readonly folder: string;
  readonly memoryLimitBytes: number;
  /** ClickHouse's config.xml, which names its users. Without it, one user has all permissions. */
  readonly configFile?: string;
  /** The id of the server's own statements. */
  readonly ownId?: string;
}) {
  const addon = createRequire(import.meta.url)(engineLibrary()) as Addon;
  const keeper = addon.CreateConnection(options.folder, [
    ...SESSION_ARGUMENTS,
    `--max_server_memory_usage=${options.memoryLimitBytes}`,
    `--mark_cache_size=${CACHE_BYTES}`,
    `--index_mark_cache_size=${CACHE_BYTES}`,
    `--primary_index_cache_size=${CACHE_BYTES}`,
    '--async_load_databases=0',
    ...(options.configFile === undefined ? [] : [`--config-file=${options.configFile}`]),
  ]);
  const facts = await addon.QueryAsyncConnection(keeper, 'SELECT version(), timezone()', 'TSVRaw');
  const [version = '', timezone = ''] = Buffer.from(facts.bytes).toString().trim().split('\t');
  return {
    version,
    timezone,
    /** `queryId` is the client's. Without one, the connection is the server's own. */
    connect: (queryId: string = options.ownId ?? '') => openConnection(addon, options.folder, queryId),
    /** Closes the engine. All connections must be closed before. */
    close: () => addon.CloseConnection(keeper),
  };
}

/** Runs one statement and returns its rows: objects, or arrays of their values in the compact format. */
export async function queryRows<T>(
  connection: Connection,
  sql: string,
  format: 'JSONEachRow' | 'JSONCompactEachRow' = 'JSONCompactEachRow',
): Promise<T[]> {
  const { bytes } = await connection.query(sql, format);
  const lines = Buffer.from(bytes).toString().split('\n');
  return lines.filter((line) => line !== '').map((line): T => JSON.parse(line));
}

/** One connection carries one session: its settings, parameters, database and temporary tables. */
export type Connection = ReturnType<typeof openConnection>;

function openConnection(addon: Addon, folder: string, queryId: string) {
  const handle = addon.CreateConnection(folder, [...SESSION_ARGUMENTS, `--${ID_SETTING}=${queryId}`]);
  let last: Promise<unknown> = Promise.resolve();
  let closed: Promise<void> | undefined;
  const guarded = <T>(running: Promise<T>): Promise<T> => {
    const settled = running.catch((error: unknown) => {
      throw parseEngineError(error instanceof Error ? error.message : String(error));
    });
    last = settled.catch(() => undefined);
    return settled;
  };
  return {
    /** Runs one statement and keeps its output in memory. Throws `EngineError`. */
    query: (sql: string, format = 'TabSeparated') => guarded(addon.QueryAsyncConnection(handle, sql, format)),
    /** Runs one statement without output and counts the written rows. Throws `EngineError`. */
    write: (sql: string) => guarded(addon.InsertRawAsyncConnection(handle, sql, NOTHING, false)),
    /** Ends the session once the statement that runs on it has ended. */
    close(): Promise<void> {
      closed ??= last.then(() => addon.CloseConnection(handle));
      return closed;
    },
  };
}
