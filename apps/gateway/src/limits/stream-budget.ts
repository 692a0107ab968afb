import { setTimeout as delay } from 'node:timers/promises';
import { createInFlight, type InFlight } from './in-flight.ts';
import type { Unavailable } from './unavailable.ts';

/** Limits the streams of a gateway and their bytes. */
export interface StreamBudget {
  /** Returns what leaves again, once. Throws 6001 when there are too many streams, of all or of this project. */
  enter(projectId: string): () => void;
  /**
   * Resolves with what gives the room back, once there is room for so many bytes: meanwhile nothing more is read, and the
   * client waits. Rejects with 6001 when there is none for long.
   */
  hold(projectId: string, bytes: number): Promise<() => void>;
}

export interface StreamBudgetOptions {
  readonly inFlight: InFlight;
  /** False while the queue has no room for events of this project. */
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
  // Shared as bytes are: a project has at most four times as many as are free.
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
