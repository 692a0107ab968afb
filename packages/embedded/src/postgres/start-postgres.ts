import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { dataInUse, diskFull, type EmbeddedFault, portTaken, startFailed } from '../embedded-fault.ts';
import type { EmbeddedOptions, EmbeddedServer } from '../embedded-server.ts';
import { freePort, isTaken } from '../free-port.ts';
import { holdsWithin, processesIn, signal } from '../process-table.ts';
import { ownFolder, type ServerProcess, type StartedServer, spawnServer } from '../spawn-server.ts';
import { type Binaries, locateBinaries, searchIn } from './binaries.ts';
import { openCluster } from './cluster.ts';
import { clusterHome } from './home.ts';
import { type Identity, serverIdentity } from './identity.ts';

const READY_MS = 120_000;
const PORT_TRIES = 5;

/** Resolves when the server accepts connections. Throws an `EmbeddedFault` otherwise. */
export function startPostgres(options: EmbeddedOptions): Promise<EmbeddedServer> {
  return ownFolder(options.dataDir, async () => {
    const identity = serverIdentity();
    const { folder: home, elsewhere } = clusterHome(options.dataDir, identity);
    if (elsewhere)
      options.onLog?.(`${options.dataDir} is closed to the server's account; the data is in ${home}`);
    const binaries = locateBinaries(home, identity);
    const { user, password, database, fast = false } = options;
    await endLeftovers(join(home, 'data'));
    // Afterwards, because a leftover process may use this port.
    if (options.port !== 0 && (await isTaken(options.port))) throw portTaken(options.port);
    const data = await openCluster({ home, binaries, identity, user, password, database, fast });
    return launch({ options, identity, binaries, data });
  });
}

interface Launch {
  readonly options: EmbeddedOptions;
  readonly identity: Identity | undefined;
  readonly binaries: Binaries;
  readonly data: string;
}

async function launch(plan: Launch): Promise<StartedServer> {
  for (let attempt = 1; ; attempt++) {
    const port = plan.options.port === 0 ? await freePort() : plan.options.port;
    const server = spawnServer({
      file: plan.binaries.postgres,
      args: ['-D', plan.data, ...serverArguments({ port, fast: plan.options.fast ?? false })],
      workingDir: plan.data,
      env: {
        ...searchIn(plan.binaries.libraryPath),
        LANG: 'C',
        LC_ALL: 'C',
        PATH: '/usr/bin:/bin',
        PGTZ: 'UTC',
      },
      identity: plan.identity,
      ipc: false,
      onLog: plan.options.onLog,
    });
    const fault = await untilReady(server, plan.data, port);
    if (fault === undefined) return started(plan, server, port);
    const lostTheRace = fault.reason === 'portTaken' && plan.options.port === 0 && attempt < PORT_TRIES;
    if (!lostTheRace) throw fault;
  }
}

async function untilReady(
  server: ServerProcess,
  data: string,
  port: number,
): Promise<EmbeddedFault | undefined> {
  const ready = await holdsWithin(() => server.ended() !== undefined || isReady(data, server.pid), READY_MS);
  if (server.ended() === undefined && ready) return undefined;
  if (server.ended() === undefined) {
    await end(server);
    return startFailed('PostgreSQL', `not ready after ${READY_MS / 1000} s`);
  }
  const log = server.tail().join('\n');
  if (/Address already in use|could not create any TCP\/IP sockets/.test(log)) return portTaken(port);
  if (/No space left on device|Disk quota exceeded/.test(log)) return diskFull(data);
  const holder = /Is another postmaster \(PID (\d+)\)/.exec(log);
  if (holder !== null) return dataInUse(data, Number(holder[1]));
  return startFailed(
    'PostgreSQL',
    server.tail().findLast((line) => /FATAL|PANIC|ERROR/.test(line)) ?? log.slice(-300),
  );
}

/** The server writes its status into the eighth line of its pid file. */
function isReady(data: string, pid: number): boolean {
  try {
    const lines = readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n');
    return Number(lines[0]) === pid && lines[7]?.trim() === 'ready';
  } catch {
    return false;
  }
}

function started({ options, data }: Launch, process: ServerProcess, port: number): StartedServer {
  const credentials = `${encodeURIComponent(options.user)}:${encodeURIComponent(options.password)}`;
  return {
    name: 'postgres',
    url: `postgres://${credentials}@127.0.0.1:${port}/${encodeURIComponent(options.database)}`,
    port,
    process,
    end: () => end(process).then(() => endLeftovers(data)),
  };
}

function end(server: ServerProcess): Promise<void> {
  return server.end([
    ['SIGINT', 5000],
    ['SIGQUIT', 1500],
    ['SIGKILL', 2000],
  ]);
}

const STEPS: readonly { name: NodeJS.Signals; waitMs: number }[] = [
  { name: 'SIGINT', waitMs: 5000 },
  { name: 'SIGQUIT', waitMs: 2000 },
  { name: 'SIGKILL', waitMs: 2000 },
];

/**
 * Ends the processes that a killed parent left on this data folder. A process counts only if its working directory is
 * this folder and it is PostgreSQL: this is true of the server and its workers only.
 */
async function endLeftovers(data: string): Promise<void> {
  const alive = (): number[] =>
    processesIn(data)
      .filter(({ commandLine }) => /postgres/.test(commandLine))
      .map(({ pid }) => pid);
  for (const step of STEPS) {
    const pids = alive();
    if (pids.length === 0) return;
    const parent = pids.reduce((least, pid) => Math.min(least, pid));
    for (const pid of step.name === 'SIGKILL' ? pids : [parent]) signal(pid, step.name);
    await holdsWithin(() => alive().length === 0, step.waitMs);
  }
  if (alive().length > 0) {
    throw startFailed(
      'PostgreSQL',
      `an old server (process ${alive()[0]}) still runs on ${data} and cannot be ended`,
    );
  }
}

/** Server settings as command line arguments, so that an old data folder gets new settings at every start. */
function serverArguments(options: { port: number; fast: boolean }): string[] {
  const settings: Record<string, string | number> = {
    listen_addresses: '127.0.0.1',
    port: options.port,
    unix_socket_directories: '',
    max_connections: 200,
    password_encryption: 'scram-sha-256',
    shared_buffers: '192MB',
    work_mem: '8MB',
    maintenance_work_mem: '128MB',
    effective_cache_size: '1GB',
    // A queue rewrites the same pages all the time: few checkpoints, and enough WAL between two of them.
    wal_level: 'minimal',
    max_wal_senders: 0,
    wal_buffers: '16MB',
    min_wal_size: '256MB',
    max_wal_size: '2GB',
    checkpoint_timeout: '10min',
    checkpoint_completion_target: 0.9,
    wal_compression: 'on',
    // Autovacuum checks for dead job rows often and removes them without pauses.
    autovacuum_naptime: '15s',
    autovacuum_vacuum_cost_limit: 2000,
    bgwriter_lru_maxpages: 500,
    random_page_cost: 1.1,
    jit: 'off',
    log_min_messages: 'warning',
    log_checkpoints: 'off',
    log_line_prefix: '%m [%p] ',
    lc_messages: 'C',
    timezone: 'UTC',
    log_timezone: 'UTC',
    ...(options.fast ? { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' } : {}),
  };
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}
