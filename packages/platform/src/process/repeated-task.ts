import type { Component } from './lifecycle.ts';

/** `drain` resolves when the current run has ended or was given up. */
export type RepeatedTask = Required<Omit<Component, 'stop'>>;

interface RepeatedTaskOptions {
  /** Reports its own faults and never rejects. The signal ends with `drain`. */
  run(signal: AbortSignal): Promise<unknown>;
  sleep(delayMs: number, signal: AbortSignal): Promise<void>;
  readonly everyMs: number;
}

/** Runs a task again and again, with a pause after each run. */
export function createRepeatedTask(name: string, { run, sleep, everyMs }: RepeatedTaskOptions): RepeatedTask {
  const stopping = new AbortController();
  let running: Promise<void> = Promise.resolve();

  async function repeat(): Promise<void> {
    while (!stopping.signal.aborted) {
      await run(stopping.signal);
      await sleep(everyMs, stopping.signal);
    }
  }

  return {
    name,
    async start() {
      running = repeat();
    },
    async drain() {
      stopping.abort();
      await running;
    },
  };
}
