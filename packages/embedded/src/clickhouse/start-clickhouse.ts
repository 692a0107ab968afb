import { realpathSync, rmSync } from 'node:fs';
import { setPriority } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  diskFull,
  type EmbeddedFault,
  machineTooOld,
  notWritable,
  portTaken,
  startFailed,
  tableUnloadable,
  unsupportedPlatform,
} from '../embedded-fault.ts';
import type { EmbeddedOptions, EmbeddedServer } from '../embedded-server.ts';
import { isTaken } from '../free-port.ts';
import { holdsWithin, processesIn, signal } from '../process-table.ts';
import { ownFolder, type ServerProcess, type StartedServer, spawnServer } from '../spawn-server.ts';
import { engineLibrary } from './engine/engine.ts';
import type { ServeCommand, ServeReply } from './serve.ts';
import { findUnloadableTable, setAside, type UnloadableTable } from './unloadable-table.ts';

const LEAVING_MS = 6000;
const KILLED_MS = 2000;
/** Two fifths of a processor that ingestion needs too. With much less, a busy machine would not answer queries. */
const QUERY_NICENESS = 4;
const MAIN = fileURLToPath(new URL('./clickhouse-main.ts', import.meta.url));
/** Each running statement occupies one of libuv's threads. */
const THREADS = 96;

/** Resolves when the server answers. Throws an `EmbeddedFault` otherwise. */
export async function startClickHouse(options: EmbeddedOptions): Promise<EmbeddedServer> {
  refuseUnsupported();
  return ownFolder(options.dataDir, async () => {
    const folder = realpathSync(options.dataDir);
    await endLeftovers(folder);
    // Afterwards, because a leftover process may use this port.
    if (options.port !== 0 && (await isTaken(options.port))) throw portTaken(options.port);
    // The data of an engine for queries may be incomplete, because it is killed if it has to end early.
    if (options.queryLimitMs !== undefined) rmSync(join(folder, 'data'), { recursive: true, force: true });
    return launchWithLoadable(options, folder);
  });
}

function refuseUnsupported(): void {
  try {
    engineLibrary();
  } catch (error) {
    throw unsupportedPlatform('ClickHouse', `${process.platform}-${process.arch}`, error);
  }
}

/** Waits for a server whose parent was killed, which ends by itself, and kills it if that takes too long. */
async function endLeftovers(folder: string): Promise<void> {
  const alive = (): number[] =>
    processesIn(folder)
      .filter(({ commandLine }) => commandLine.includes(MAIN))
      .map(({ pid }) => pid);
  if (await holdsWithin(() => alive().length === 0, LEAVING_MS)) return;
  for (const pid of alive()) signal(pid, 'SIGKILL');
  if (!(await holdsWithin(() => alive().length === 0, KILLED_MS))) {
    throw startFailed('ClickHouse', `an old server still runs on ${folder} and cannot be ended`);
  }
}

/** Starts without the tables that ClickHouse cannot load, except in the database of the product: nothing works without those. */
async function launchWithLoadable(options: EmbeddedOptions, folder: string): Promise<StartedServer> {
  for (let before = ''; ; ) {
    const launched = await launch(options, folder);
    if (!('unloadable' in launched)) return launched;
    const { unloadable, fault } = launched;
    const { database, table, definition, reason } = unloadable;
    if (database === options.database || definition === before) throw fault;
    before = definition;
    const place = setAside(unloadable, folder);
    options.onLog?.(
      `The table ${database}.${table} is left out, because ClickHouse cannot load it: ${reason}. Its definition is in ${place}`,
    );
  }
}

async function launch(
  options: EmbeddedOptions,
  folder: string,
): Promise<StartedServer | { readonly unloadable: UnloadableTable; readonly fault: EmbeddedFault }> {
  const server = spawnServer({
    file: process.execPath,
    args: ['--no-warnings', MAIN],
    workingDir: folder,
    env: { UV_THREADPOOL_SIZE: String(THREADS), TZ: 'UTC', PATH: '/usr/local/bin:/usr/bin:/bin' },
    ipc: true,
    onLog: options.onLog,
  });
  if (options.queryLimitMs !== undefined) yieldToOthers(server.pid);
  const { onLog: _onLog, fast: _fast, ...served } = options;
  const command = { eventDatabases: [options.database], ...served, dataDir: folder };
  const reply = await firstReply(server, command);
  if (reply.kind === 'fault') {
    await end(server);
    const unloadable = findUnloadableTable(server.tail(), folder);
    if (unloadable === null) throw faultOf(reply, options);
    return { unloadable, fault: tableUnloadable(unloadable) };
  }
  const credentials = `${encodeURIComponent(options.user)}:${encodeURIComponent(options.password)}`;
  return {
    name: 'clickhouse',
    url: `http://${credentials}@127.0.0.1:${reply.port}`,
    port: reply.port,
    process: server,
    end: () => end(server),
  };
}

/** Queries get the processor time that ingestion leaves. Call this before the process starts threads, which inherit it. */
function yieldToOthers(pid: number): void {
  try {
    setPriority(pid, QUERY_NICENESS);
  } catch {
    // The process has ended, or the system has no priorities.
  }
}

function firstReply(server: ServerProcess, command: ServeCommand): Promise<ServeReply> {
  return new Promise((resolve) => {
    server.child.once('message', (message: ServeReply) => resolve(message));
    server.child.send(command, () => undefined);
    void server.exited.then(({ code, signal: by }) => {
      const last = server.tail().findLast((line) => line.trim() !== '');
      const cause = by === 'SIGILL' ? by : (last ?? `it ended (${by ?? code})`);
      resolve({ kind: 'fault', reason: 'startFailed', cause });
    });
  });
}

function faultOf(reply: Extract<ServeReply, { kind: 'fault' }>, options: EmbeddedOptions): EmbeddedFault {
  if (reply.reason === 'portTaken') return portTaken(options.port);
  if (reply.reason === 'notWritable') return notWritable(options.dataDir, reply.cause);
  if (reply.reason === 'diskFull') return diskFull(options.dataDir);
  return machineTooOld(reply.cause) ?? startFailed('ClickHouse', reply.cause);
}

function end(server: ServerProcess): Promise<void> {
  return server.end([
    ['SIGTERM', LEAVING_MS - 1000],
    ['SIGKILL', KILLED_MS],
  ]);
}
