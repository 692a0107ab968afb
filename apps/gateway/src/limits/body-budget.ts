import { setTimeout as delay } from 'node:timers/promises';
import { createInFlight, type InFlight } from './in-flight.ts';
import { unavailable } from './unavailable.ts';

const lookAgainMs = 25;

/** Limits the bodies and streams in memory, and accepts none while the queue accepts no events of their project. */
export type BodyBudget = ReturnType<typeof createBodyBudget>;

export function createBodyBudget(options: {
  readonly inFlight: InFlight;
  /** False while the queue accepts no events of this project. */
  readonly accepting: (projectId: string) => boolean;
  readonly mostStreams: number;
  readonly timeoutMs?: number;
  /** Monotonic milliseconds. */
  readonly now: () => number;
  readonly random: () => number;
}) {
  const { inFlight, accepting, mostStreams, timeoutMs = 10_000, now, random } = options;
  // Shared like bytes: a project has at most four times as many as are free.
  const streams = createInFlight({ limitBytes: () => mostStreams * 1_024 });
  return {
    /** Throws 6001 if `reserve` would throw now: called before a body is read. */
    check(projectId: string, bytes: number) {
      if (!accepting(projectId) || !inFlight.wouldFit(projectId, bytes)) throw unavailable(random);
    },
    /** Returns the function that releases the bytes, which works once. Throws 6001 if they do not fit. */
    reserve(projectId: string, bytes: number): () => void {
      const release = inFlight.reserve(projectId, bytes);
      if (release === null) throw unavailable(random);
      return release;
    },
    /**
     * Returns the function that leaves again, which works once. Throws 6001 if there are too many streams, of all
     * projects or of this one.
     */
    enterStream(projectId: string): () => void {
      const leave = accepting(projectId) ? streams.reserve(projectId, 0) : null;
      if (leave === null) throw unavailable(random);
      return leave;
    },
    /**
     * Resolves with the function that releases the bytes, once the budget has this many. Meanwhile nothing more is read,
     * and the client waits. Rejects with 6001 after a long wait.
     */
    async waitFor(projectId: string, bytes: number): Promise<() => void> {
      const untilMs = now() + timeoutMs;
      for (;;) {
        const release = accepting(projectId) ? inFlight.reserve(projectId, bytes) : null;
        if (release !== null) return release;
        if (now() >= untilMs) throw unavailable(random);
        await delay(lookAgainMs);
      }
    },
  };
}
