import { openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { findFreePort } from '@tickrate/testkit';
import { type AppProcess, startApp, untilReady } from '../event-path/app-process.ts';

/**
 * One place for a process of the product, on one port. As a supervisor would, it starts what was killed or asked to stop,
 * and what could not start because a store was away; whatever ends otherwise is a failure.
 * down → (start) → running → (kill | terminate) → down; running → (its start failed) → running again.
 */
export interface SupervisedApp {
  readonly name: string;
  readonly port: number;
  /** Of its metrics, where that is another. */
  readonly metricsPort: number;
  start(): void;
  kill(): Promise<void>;
  freeze(): void;
  resume(): void;
  /** Asks it to stop and waits until it did. */
  terminate(): Promise<void>;
  /** Moves the clock that it sees. */
  shiftClock(shiftMs: number): void;
  ready(timeoutMs: number): Promise<void>;
}

export interface SupervisedOptions {
  readonly app: 'gateway' | 'worker';
  readonly name: string;
  readonly folder: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Told of an end that nobody asked for, and of a stop that was not clean. */
  onSurprise(what: string): void;
}

/** The exit code of a process that could not begin without a store (packages/platform/src/process/exit-codes.ts). */
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
