import { readdirSync, readFileSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EmbeddedOptions, EmbeddedServer } from '@tickrate/embedded';
import { findFreePort } from '../services/free-port.ts';

/** A database of one test, which kills, freezes and restarts it. Its URL stays the same. */
export interface KillableServer {
  readonly url: string;
  /** Sends SIGKILL to all of its processes. Resolves when they have ended. */
  kill(): Promise<void>;
  /** Sends SIGSTOP: connections stay open and nothing answers. `resume` undoes it. */
  freeze(): void;
  resume(): void;
  /** Starts it again on the same port and data, after `kill` or when it ended by itself. */
  restart(): Promise<void>;
  /** Ends it and deletes its data. */
  stop(): Promise<void>;
}

export interface KillableDatabase extends KillableServer {
  readonly dataDir: string;
  /** Resolves when the current process has ended, in any way. */
  ended(): Promise<unknown>;
}

/** PostgreSQL from npm; every commit is synced to the disk. */
export async function startPostgresServer(): Promise<KillableDatabase> {
  const { startPostgres } = await import('@tickrate/embedded');
  return startKillable(startPostgres, { user: 'postgres', database: 'postgres' });
}

/** The ClickHouse engine from npm, with its data in a new folder below `parent`. */
export async function startClickHouseServer(parent: string = tmpdir()): Promise<KillableDatabase> {
  const { startClickHouse } = await import('@tickrate/embedded');
  const access = { user: 'default', database: 'default', eventDatabases: ['tickrate'] };
  return startKillable(startClickHouse, access, parent);
}

async function startKillable(
  start: (options: EmbeddedOptions) => Promise<EmbeddedServer>,
  access: Pick<EmbeddedOptions, 'user' | 'database' | 'eventDatabases'>,
  parent: string = tmpdir(),
): Promise<KillableDatabase> {
  const folder = await mkdtemp(join(parent, 'tickrate-test-'));
  // As root, PostgreSQL runs under another account, which needs access.
  await chmod(folder, 0o755);
  const launch = (port: number) => start({ ...access, password: 'test', dataDir: folder, port });
  const port = await findFreePort();
  let server = await launch(port);
  const { url } = server;
  // The parent first: stopped or dead, it starts no further child.
  const signalAll = (signal: NodeJS.Signals) => {
    const children = childrenOf(server.pid);
    for (const pid of [server.pid, ...children]) sendSignal(pid, signal);
  };
  return {
    url,
    dataDir: folder,
    async kill() {
      signalAll('SIGKILL');
      await server.exited;
    },
    freeze: () => signalAll('SIGSTOP'),
    resume: () => signalAll('SIGCONT'),
    async restart() {
      server = await launch(port);
    },
    ended: () => server.exited,
    async stop() {
      signalAll('SIGCONT');
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It ended by itself in between.
  }
}

/** The running child processes of this one. */
function childrenOf(parent: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => parentOf(pid) === parent);
}

function parentOf(pid: number): number | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name in brackets may contain anything; the state and the parent follow it.
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    return null;
  }
}
