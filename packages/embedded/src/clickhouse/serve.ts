import { randomBytes } from 'node:crypto';
import { mkdirSync, rmSync } from 'node:fs';
import type { Server } from 'node:http';
import { hostname, totalmem } from 'node:os';
import { join } from 'node:path';
import type { EmbeddedFaultReason } from '../embedded-fault.ts';
import type { EmbeddedOptions } from '../embedded-server.ts';
import { createRedact } from './answer/http-fault.ts';
import { createDiskGuard } from './engine/disk-guard.ts';
import { type Connection, openEngine, queryRows } from './engine/engine.ts';
import { writeEngineConfig } from './engine/engine-config.ts';
import { createPipes } from './engine/pipes.ts';
import { createSemaphore } from './engine/semaphore.ts';
import { createHttpServer } from './http/http-server.ts';
import { createSpool } from './request/spool.ts';
import { endLateQueries } from './running/late-queries.ts';
import { createRunning } from './running/running.ts';
import { createSessions } from './running/sessions.ts';
import { quotedIdentifier, stringLiteral } from './sql/literal.ts';
import { TABLE_ENGINES } from './sql/sources.ts';

/** The first message of the parent, over the IPC channel, so that the password is not on a command line. */
export interface ServeCommand extends Omit<EmbeddedOptions, 'onLog' | 'fast'> {
  /** The databases whose tables of events customers may query. */
  readonly eventDatabases: readonly string[];
}

export type ServeReply =
  | { readonly kind: 'ready'; readonly port: number; readonly version: string }
  | { readonly kind: 'fault'; readonly reason: EmbeddedFaultReason; readonly cause: string };

const GIB = 1024 ** 3;
/** Fewer than libuv's threads, because files and compression need some too. */
const QUERIES_AT_ONCE = 64;
const DRAIN_MS = 3000;
const IDLE_CHECK_MS = 20;

export interface ServeDeps {
  readonly newId: () => string;
  readonly nowMs: () => number;
  /** Writes one line of the log. */
  readonly write: (line: string) => void;
  /** Ends this process at once. */
  readonly endProcess: () => void;
}

export type Serving = Awaited<ReturnType<typeof serve>>;

export async function serve(command: ServeCommand, deps: ServeDeps) {
  const { newId, nowMs, write } = deps;
  const { queryLimitMs } = command;
  /** At once, because any more work could do harm. */
  const endProcess = (reason: string): void => {
    write(reason);
    deps.endProcess();
  };
  const ownId = randomBytes(32).toString('hex');
  const { engine, folder } = await openData(command, ownId, write);
  const diskGuard = createDiskGuard(engine, folder, (writes) => endProcess(lossOf(writes)));
  const sessions = createSessions(() => engine.connect(''));
  const running = createRunning(engine);
  const spool = createSpool(command.dataDir, newId);
  const server = createHttpServer({
    engine,
    diskGuard,
    sessions,
    running,
    // A server that stores data has no limit: queries end only where the engine can interrupt them.
    watchQuery: queryLimitMs === undefined ? () => () => undefined : endLateQueries(queryLimitMs, endProcess),
    userFiles: userFilesOf(command),
    leasePipe: await createPipes(join(command.dataDir, 'pipes')),
    semaphore: createSemaphore(QUERIES_AT_ONCE),
    spool,
    account: { user: command.user, password: command.password },
    displayName: hostname(),
    write,
    redact: createRedact([command.dataDir, ...spool.folders, ownId]),
    newId,
    ownId,
    nowMs,
  });
  const port = await listen(server, command.port);
  return {
    port,
    version: engine.version,
    /** Accepts no more requests, waits for running ones for a while, and closes the engine. */
    async stop(): Promise<void> {
      await drain(server);
      await sessions.close();
      await running.close();
      spool.close();
      await diskGuard.stop();
      engine.close();
    },
  };
}

/** A server for queries alone serves customers, who may read no files. */
function userFilesOf({ dataDir, readsFrom }: ServeCommand): string | undefined {
  if (readsFrom !== undefined) return undefined;
  const folder = join(dataDir, 'user_files');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return folder;
}

async function openData(command: ServeCommand, ownId: string, write: (line: string) => void) {
  const { dataDir, database, eventDatabases, readsFrom } = command;
  const folder = join(dataDir, 'data');
  // A server for queries alone has only what it is given after its start: definitions may have changed meanwhile.
  if (readsFrom !== undefined) rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const configFile = writeEngineConfig(join(dataDir, 'engine'), {
    dataFolder: folder,
    eventDatabases,
    ownId,
    ...(readsFrom !== undefined && { readsFolder: join(readsFrom, 'data') }),
  });
  const engine = await openEngine({ folder, configFile, ownId, memoryLimitBytes: memoryLimit() });
  const setup = engine.connect();
  await setup.query(`CREATE DATABASE IF NOT EXISTS ${quotedIdentifier(database)}`, 'Null');
  if (readsFrom === undefined) await dropRefusedTables(setup, write);
  await setup.close();
  return { engine, folder };
}

/** An answer in progress may be wrong, and the engine deletes the sources of a broken merged part. */
function lossOf(writes: number): string {
  return `${writes} writes failed because the disk is full. This server ends, and checks its files at the next start`;
}

/** Half of the memory of the machine or container, at most 8 GiB: a laptop must survive a careless query. */
function memoryLimit(): number {
  const contained = process.constrainedMemory();
  const total = contained > 0 ? Math.min(contained, totalmem()) : totalmem();
  return Math.floor(Math.min(total / 2, 8 * GIB));
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : port);
    });
  });
}

async function drain(server: Server): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  const idle = setInterval(() => server.closeIdleConnections(), IDLE_CHECK_MS);
  const late = setTimeout(() => server.closeAllConnections(), DRAIN_MS);
  await closed;
  clearInterval(idle);
  clearTimeout(late);
}

const KEPT = [...TABLE_ENGINES, 'View', 'MaterializedView'];
const OF_THE_ENGINE = ['system', 'INFORMATION_SCHEMA', 'information_schema'];

const list = (names: readonly string[]): string => names.map(stringLiteral).join(', ');

/**
 * Drops the tables of an earlier start whose engine no client can create any more: they would show what is hidden. They
 * keep no rows of their own.
 */
export async function dropRefusedTables(
  connection: Connection,
  write: (line: string) => void,
): Promise<void> {
  const sql = `SELECT database, name, engine FROM system.tables
WHERE NOT is_temporary AND database NOT IN (${list(OF_THE_ENGINE)}) AND engine NOT IN (${list(KEPT)})`;
  const rows = await queryRows<[string, string, string]>(connection, sql);
  for (const [database, name, engine] of rows) {
    // Without SYNC, UNDROP TABLE brings it back.
    await connection.query(`DROP TABLE ${quotedIdentifier(database)}.${quotedIdentifier(name)} SYNC`, 'Null');
    write(
      `The table ${database}.${name} was dropped: the embedded ClickHouse does not support its engine ${engine}`,
    );
  }
}
