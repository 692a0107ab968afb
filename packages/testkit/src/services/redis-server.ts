import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readTestServicesConfig } from '../config.ts';
import type { KillableServer } from '../faults/killable-server.ts';
import { waitUntil } from '../wait-until.ts';
import { findFreePort } from './free-port.ts';

export interface RedisServer extends KillableServer {
  /** Of the running process; another one after a restart. */
  pid(): number;
  /** Keeps a copy of its current data. Call it while it is killed. */
  keepData(): Promise<void>;
  /** Restores the copy, while it is killed: later data is lost. */
  restoreData(): Promise<void>;
}

export interface RedisServerOptions {
  /** Further settings: `{ maxmemory: '64mb' }`. They win over ours (append-only, fsync every second, noeviction). */
  readonly settings?: Readonly<Record<string, string>>;
  readonly sentinel?: boolean;
}

/** A Redis of one test, which can kill it, from the redis-server or valkey-server on the PATH. */
export async function startRedisServer(options: RedisServerOptions = {}): Promise<RedisServer> {
  const program = readTestServicesConfig().redisProgram;
  if (program === null) throw new Error('No redis-server or valkey-server on the PATH');
  const folder = await mkdtemp(join(tmpdir(), 'tickrate-test-redis-'));
  const port = await findFreePort();
  // A Sentinel needs its settings in a file, which it rewrites.
  const file = join(folder, 'redis.conf');
  await writeFile(file, settingsFor({ folder, port, ...options }));
  const launch = () => launchRedis(program, options.sentinel ? [file, '--sentinel'] : [file], port);

  let child = await launch();
  const end = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
  };
  return {
    url: `redis://127.0.0.1:${port}`,
    pid: () => child.pid ?? 0,
    kill: end,
    freeze: () => void child.kill('SIGSTOP'),
    resume: () => void child.kill('SIGCONT'),
    async restart() {
      await end();
      child = await launch();
    },
    keepData: () => copyFolder(folder, `${folder}-kept`),
    restoreData: () => copyFolder(`${folder}-kept`, folder),
    async stop() {
      await end();
      for (const used of [folder, `${folder}-kept`]) await rm(used, { recursive: true, force: true });
    },
  };
}

async function copyFolder(from: string, to: string): Promise<void> {
  await rm(to, { recursive: true, force: true });
  await cp(from, to, { recursive: true });
}

function settingsFor(options: RedisServerOptions & { folder: string; port: number }): string {
  const settings: Record<string, string> = {
    port: String(options.port),
    bind: '127.0.0.1',
    dir: options.folder,
    save: '',
    appendonly: 'yes',
    appendfsync: 'everysec',
    'maxmemory-policy': 'noeviction',
    ...options.settings,
  };
  return Object.entries(settings)
    .map(([name, value]) => `${name} ${JSON.stringify(value)}\n`)
    .join('');
}

async function launchRedis(program: string, settings: string[], port: number): Promise<ChildProcess> {
  const child = spawn(program, settings, { stdio: ['ignore', 'pipe', 'ignore'] });
  let output = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    output = (output + text).slice(-4_000);
  });
  const ended = once(child, 'exit').then(() => {
    throw new Error(`${program} ended at its start: ${output}`);
  });
  const answering = waitUntil(() => ping(port), { timeoutMs: 10_000, what: `${program} to answer` });
  await Promise.race([answering, ended]).catch((error: unknown) => {
    child.kill('SIGKILL');
    throw error;
  });
  ended.catch(() => undefined);
  return child;
}

function ping(port: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = connect(port, '127.0.0.1', () => socket.write('PING\r\n'));
  socket.on('data', (answer) => {
    resolve(/^(?:\+PONG|-NOAUTH)/.test(answer.toString('latin1')));
    socket.destroy();
  });
  socket.on('error', () => undefined);
  socket.on('close', () => resolve(false));
  return promise;
}
