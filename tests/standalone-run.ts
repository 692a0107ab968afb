import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, readlinkSync, realpathSync } from 'node:fs';
import { getCompileCacheDir } from 'node:module';
import { dirname, join } from 'node:path';
import { isPortFree, waitUntil } from '@tickrate/testkit';

const root = join(import.meta.dirname, '..');

/** One `npm start` as a user sees it: a process, its output, a file. */
export interface StandaloneRun {
  readonly process: ChildProcess;
  output(): string;
  /** Resolves when it prints that it runs; rejects when it ended instead. */
  ready(): Promise<void>;
  file(): StandaloneFacts;
  exit(): Promise<{ readonly code: number | null; readonly output: string }>;
}

/** The content of `standalone.json`. */
export interface StandaloneFacts {
  readonly gateway: string;
  readonly auth: string;
  readonly console: string;
  readonly clickhouse: string;
  readonly postgres: string;
  readonly metrics: Readonly<Record<string, string>>;
  readonly projectId: string;
  readonly keys: { readonly public: string; readonly administrative: string };
  readonly admin: { readonly email: string; readonly password: string };
}

export function startStandalone(folder: string, ...args: readonly string[]): StandaloneRun {
  return runApp('standalone', folder, { args: ['--data', folder, ...args] });
}

/** The same with another environment. */
export function startStandaloneWith(
  environment: Readonly<Record<string, string>>,
  folder: string,
  ...args: readonly string[]
): StandaloneRun {
  const env = { ...bareEnvironment(), ...environment };
  return runApp('standalone', folder, { args: ['--data', folder, ...args], env });
}

/** Nothing of the environment of the tests but where Node keeps compiled code. */
export function bareEnvironment(): Record<string, string> {
  const cache = getCompileCacheDir();
  return {
    PATH: '/usr/local/bin:/usr/bin:/bin',
    // Below it, each version of Node has a folder.
    ...(cache !== undefined && { NODE_COMPILE_CACHE: dirname(cache) }),
  };
}

export function runTickrate(folder: string, ...args: readonly string[]): StandaloneRun {
  return runApp('cli', folder, { args: [...args, '--data', folder] });
}

function runApp(
  app: 'cli' | 'standalone',
  folder: string,
  { args, env }: { readonly args: readonly string[]; readonly env?: Readonly<Record<string, string>> },
): StandaloneRun {
  const path = join(root, 'apps', app, 'src', 'main.ts');
  const child = spawn(process.execPath, [path, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
    ...(env && { env }),
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
  }
  const closed = once(child, 'close');
  return {
    process: child,
    output: () => output,
    async ready() {
      const hasStarted = () => output.includes('Tickrate is running') || child.exitCode !== null;
      await waitUntil(hasStarted, { timeoutMs: 60_000, what: 'the start to end' }).catch((cause: unknown) => {
        throw new Error(`It did not start: ${output}`, { cause });
      });
      if (!output.includes('Ctrl-C')) throw new Error(`It did not start: ${output}`);
    },
    file: () => JSON.parse(readFileSync(join(folder, 'standalone.json'), 'utf8')) as StandaloneFacts,
    async exit() {
      const [code] = await closed;
      return { code, output };
    },
  };
}

// Eleven, and the metrics of what shares a port.
const portsOfProduct = 19;

/**
 * The first of the free ports of one product. Concurrent processes of tests begin their search at different ones, all
 * below those that the system gives to outgoing connections.
 */
export async function findFreePorts(): Promise<number> {
  for (let base = 20_000 + (process.pid % 650) * portsOfProduct; ; base += portsOfProduct) {
    const ports = Array.from({ length: portsOfProduct }, (_, offset) => isPortFree(base + offset));
    if (!(await Promise.all(ports)).includes(false)) return base;
  }
}

export interface FoundProcess {
  readonly pid: number;
  readonly commandLine: string;
}

/** Every process whose working directory or command line names the folder. */
export function processesOf(folder: string): FoundProcess[] {
  const path = realpathSync(folder);
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .flatMap((name) => {
      try {
        const commandLine = readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ');
        const workingFolder = readlinkSync(`/proc/${name}/cwd`);
        const isOurs = `${workingFolder}/`.startsWith(`${path}/`) || commandLine.includes(path);
        return isOurs ? [{ pid: Number(name), commandLine }] : [];
      } catch {
        return [];
      }
    });
}

/** Ends them at once. One may end by itself between being found and being killed. */
export function killProcessesOf(folder: string): void {
  for (const { pid } of processesOf(folder)) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
    }
  }
}
