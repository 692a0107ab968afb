import type { ChildExit, EmbeddedServer } from '@tickrate/embedded';
import { type Backoff, createBackoff, sleep } from '@tickrate/platform';
import { StartFault } from '../start-fault.ts';

export type Running = Pick<EmbeddedServer, 'pid' | 'exited' | 'stop'>;

/** Starts one kind of process. */
export interface Launcher {
  readonly name: string;
  /** Rejects if the process did not start. Then nothing needs to be stopped. */
  launch(): Promise<Running>;
  /** Resolves when the process is ready, or with the reason if the signal aborts or the process ends first. */
  whenReady(running: Running, signal: AbortSignal): Promise<Readiness>;
}

export type Readiness = { readonly ready: true } | { readonly ready: false; readonly reason: string };

/** Receives events after the first start. */
export interface KeepReport {
  ended(name: string, exit: ChildExit): void;
  back(name: string, afterMs: number): void;
  notBack(name: string, error: unknown): void;
}

export interface KeepOptions {
  readonly launcher: Launcher;
  readonly report: KeepReport;
  readonly now: () => number;
  readonly readyTimeoutMs?: number;
  readonly firstDelayMs?: number;
  readonly longestDelayMs?: number;
  /** After running this long, a process is restarted with the first delay again. */
  readonly settledMs?: number;
}

const defaults = { readyTimeoutMs: 30_000, firstDelayMs: 100, longestDelayMs: 10_000, settledMs: 30_000 };

/**
 * A process that is restarted whenever it ends.
 * States: idle → starting → kept (running, or waiting to be restarted) → stopped. `stop` works in every state.
 */
export class KeptProcess {
  readonly #options: KeepOptions & typeof defaults;
  readonly #stopping = new AbortController();
  readonly #backoff: Backoff;
  #running: Running | null = null;
  #work: Promise<void> = Promise.resolve();

  constructor(options: KeepOptions) {
    this.#options = { ...defaults, ...options };
    const { firstDelayMs: firstMs, longestDelayMs: longestMs } = this.#options;
    this.#backoff = createBackoff({ firstMs, longestMs });
  }

  get name(): string {
    return this.#options.launcher.name;
  }

  /** The id of the running process, if any. */
  get pid(): number | null {
    return this.#running?.pid ?? null;
  }

  /** Resolves when it serves, or earlier if it is stopped. Rejects if it does not become ready. */
  async start(): Promise<void> {
    const starting = this.#bringUp();
    this.#work = starting.then(
      () => undefined,
      () => undefined,
    );
    const running = await starting;
    if (!this.#stopping.signal.aborted) this.#work = this.#keep(running);
  }

  /** Ends the process. Resolves when it has ended; it is not launched again. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running?.stop();
    await this.#work;
    await this.#running?.stop();
    this.#running = null;
  }

  async #bringUp(): Promise<Running> {
    const { launcher, readyTimeoutMs } = this.#options;
    const running = await launcher.launch();
    this.#running = running;
    const signal = AbortSignal.any([this.#stopping.signal, AbortSignal.timeout(readyTimeoutMs)]);
    const readiness = await launcher.whenReady(running, signal);
    if (readiness.ready || this.#stopping.signal.aborted) return running;
    await running.stop();
    throw new StartFault(`${launcher.name} ${readiness.reason}`, '');
  }

  async #keep(first: Running): Promise<void> {
    const { report, now, settledMs } = this.#options;
    const { signal } = this.#stopping;
    for (let running: Running | null = first; running !== null; ) {
      const sinceMs = now();
      const exit = await running.exited;
      this.#running = null;
      if (signal.aborted) return;
      if (now() - sinceMs >= settledMs) this.#backoff.reset();
      report.ended(this.name, exit);
      running = await this.#relaunch();
    }
  }

  /** Launches it until that succeeds. Null if it was stopped meanwhile. */
  async #relaunch(): Promise<Running | null> {
    const { launcher, report, now } = this.#options;
    const { signal } = this.#stopping;
    const sinceMs = now();
    for (;;) {
      await sleep(this.#backoff.next(), signal);
      if (signal.aborted) return null;
      try {
        const running = await launcher.launch();
        this.#running = running;
        void launcher.whenReady(running, signal).then(({ ready }) => {
          if (ready) report.back(this.name, now() - sinceMs);
        });
        return running;
      } catch (error) {
        report.notBack(this.name, error);
      }
    }
  }
}

export function exitText({ code, signal }: ChildExit): string {
  return signal === null ? `exit code ${code}` : signal;
}
