import { openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { findFreePort } from '@tickrate/testkit';
import { type AppOptions, type AppProcess, startApp, untilReady } from '../event-path/app-process.ts';

/**
 * Supervises one process of the product on one port. Restarts it after a kill, a stop, or a start that failed because a
 * store was unavailable; any other end is a failure.
 * down → (start) → running → (kill | terminate) → down; running → (its start failed) → running again.
 */
export interface SupervisedApp {
  readonly name: string;
  readonly port: number;
  /** The port of its metrics, where it differs. */
  readonly metricsPort: number;
  start(): void;
  kill(): Promise<void>;
  freeze(): void;
  resume(): void;
  /** Asks it to stop and waits for its end. */
  terminate(): Promise<void>;
  /** Moves its clock. */
  shiftClock(shiftMs: number): void;
  ready(timeoutMs: number): Promise<void>;
}

export interface SupervisedOptions {
  readonly app: AppOptions['app'];
  readonly name: string;
  readonly folder: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Called on an unexpected end and on a stop that was not clean. */
  onSurprise(what: string): void;
}

/** The exit code of a process that could not start without a store (packages/platform/src/process/run-process.ts). */
const startFailed = '69';

export async function superviseApp(options: SupervisedOptions): Promise<SupervisedApp> {
  const { app, name, folder, onSurprise } = options;
  const port = await findFreePort();
  const logTo = openSync(join(folder, `${name}.log`), 'a');
  const clockFile = join(folder, `${name}.clock`);
  const preload = new URL(`./shifted-clock.ts?file=${encodeURIComponent(clockFile)}`, import.meta.url);
  const metricsPort = await findFreePort();
  const environment = { ...options.environment, PORT: String(port), METRICS_PORT: String(metricsPort) };
  let running: AppProcess | null = null;

  async function end(signal: NodeJS.Signals, expected: string): Promise<void> {
    const process = running;
    running = null;
    process?.signal(signal);
    const exit = await process?.exited;
    if (exit !== undefined && exit !== expected && exit !== startFailed)
      onSurprise(`${name} ended with ${exit} after ${signal}`);
  }

  function launch(): void {
    const process = startApp({ app, environment, preload, logTo });
    running = process;
    void process.exited.then(async (exit) => {
      if (running !== process) return;
      if (exit !== startFailed) return onSurprise(`${name} ended by itself with ${exit}`);
      await delay(500);
      if (running === process) launch();
    });
  }

  return {
    name,
    port,
    metricsPort,
    start() {
      if (running !== null) throw new Error(`${name} is running`);
      launch();
    },
    kill: () => end('SIGKILL', 'SIGKILL'),
    freeze: () => running?.signal('SIGSTOP'),
    resume: () => running?.signal('SIGCONT'),
    terminate: () => end('SIGTERM', '0'),
    shiftClock: (shiftMs) => writeFileSync(clockFile, String(shiftMs)),
    ready: (timeoutMs) => untilReady(port, timeoutMs),
  };
}
