export interface RepeatedTaskOptions {
  /** Reports its own faults and never rejects. The signal ends with `stop`. */
  run(signal: AbortSignal): Promise<unknown>;
  sleep(delayMs: number, signal: AbortSignal): Promise<void>;
  readonly everyMs: number;
}

export interface RepeatedTask {
  start(): void;
  /** Resolves when the current run has ended. */
  stop(): Promise<void>;
}

/** Runs a task again and again, with a pause after each run. */
export function createRepeatedTask({ run, sleep, everyMs }: RepeatedTaskOptions): RepeatedTask {
  const stopping = new AbortController();
  let running: Promise<void> = Promise.resolve();

  async function repeat(): Promise<void> {
    while (!stopping.signal.aborted) {
      await run(stopping.signal);
      await sleep(everyMs, stopping.signal);
    }
  }

  return {
    start() {
      running = repeat();
    },
    async stop() {
      stopping.abort();
      await running;
    },
  };
}
