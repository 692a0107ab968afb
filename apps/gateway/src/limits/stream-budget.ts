import { setTimeout as delay } from 'node:timers/promises';
import { createInFlight, type InFlight } from './in-flight.ts';
import type { Unavailable } from './unavailable.ts';

/** Limits the streams of a gateway and their bytes. */
export interface StreamBudget {
  /**
   * Returns the function that leaves again, which works once. Throws 6001 if there are too many streams, of all
   * projects or of this one.
   */
  enter(projectId: string): () => void;
  /**
   * Resolves with the function that releases the bytes, once the budget has this many. Meanwhile nothing more is read,
   * and the client waits. Rejects with 6001 after a long wait.
   */
  hold(projectId: string, bytes: number): Promise<() => void>;
}

export interface StreamBudgetOptions {
  readonly inFlight: InFlight;
  /** False while the queue accepts no events of this project. */
  readonly accepting: (projectId: string) => boolean;
  readonly unavailable: Unavailable;
  readonly mostStreams: number;
  readonly timeoutMs?: number;
  /** Monotonic milliseconds. */
  readonly now: () => number;
}

const lookAgainMs = 25;

export function createStreamBudget(options: StreamBudgetOptions): StreamBudget {
  const { inFlight, accepting, unavailable, mostStreams, timeoutMs = 10_000, now } = options;
  // Shared like bytes: a project has at most four times as many as are free.
  const streams = createInFlight({ limitBytes: () => mostStreams * 1_024 });
  return {
    enter(projectId) {
      const leave = accepting(projectId) ? streams.reserve(projectId, 0) : null;
      if (leave === null) throw unavailable();
      return leave;
    },
    async hold(projectId, bytes) {
      const untilMs = now() + timeoutMs;
      for (;;) {
        const release = accepting(projectId) ? inFlight.reserve(projectId, bytes) : null;
        if (release !== null) return release;
        if (now() >= untilMs) throw unavailable();
        await delay(lookAgainMs);
      }
    },
  };
}
