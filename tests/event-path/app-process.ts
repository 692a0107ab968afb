import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { waitUntil } from '@tickrate/testkit';
import { bareEnvironment } from '../standalone-run.ts';

/** One process of the product, started as an operator starts it. */
export interface AppProcess {
  readonly pid: number;
  /** Resolves with how it ended: `0`, `SIGKILL`. */
  readonly exited: Promise<string>;
  signal(name: NodeJS.Signals): void;
}

export interface AppOptions {
  readonly app: 'gateway' | 'worker' | 'console' | 'auth';
  readonly environment: Readonly<Record<string, string>>;
  /** Preloaded by Node. */
  readonly preload?: URL | undefined;
  /** A file descriptor for its log; the terminal's by default. */
  readonly logTo?: number | undefined;
}

/** Ends when this process ends, because its channel closes. */
export function startApp({ app, environment, preload, logTo }: AppOptions): AppProcess {
  const main = join(import.meta.dirname, '..', '..', 'apps', app, 'src', 'main.ts');
  const log = logTo ?? 'inherit';
  const child = spawn(process.execPath, [...(preload ? ['--import', preload.href] : []), main], {
    env: { ...bareEnvironment(), METRICS_PORT: '0', ...environment },
    stdio: ['ignore', logTo ?? 'ignore', log, 'ipc'],
  });
  return { pid: child.pid ?? 0, exited: exitOf(child), signal: (name) => void child.kill(name) };
}

function exitOf(child: ChildProcess): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  child.once('error', (error) => resolve(error.message));
  child.once('exit', (code, signal) => resolve(String(code ?? signal)));
  return promise;
}

/** Resolves when the process behind the port is ready. Rejects with its last answer otherwise. */
export async function untilReady(port: number, timeoutMs = 30_000): Promise<void> {
  let said = 'nothing';
  const isReady = async () => {
    const answer = await fetch(`http://127.0.0.1:${port}/health/ready`, {
      headers: { Connection: 'close' },
      signal: AbortSignal.timeout(2_000),
    });
    said = `${answer.status} ${await answer.text()}`;
    return answer.status === 200;
  };
  await waitUntil(isReady, { timeoutMs, intervalMs: 50 }).catch((cause: unknown) => {
    throw new Error(`not ready after ${timeoutMs} ms; it said: ${said}`, { cause });
  });
}
