/** Watches how long a turn of the event loop takes that brings many requests. */
export interface TurnWatch {
  /** To be asked once by each request. True when it has waited for long, and those behind it for longer. */
  isLate(asked: { readonly isNewClient: boolean }): boolean;
}

export interface TurnWatchOptions {
  /** Monotonic milliseconds. */
  readonly now: () => number;
  /** Calls back when the present turn is over. */
  readonly afterTurn: (call: () => void) => void;
  readonly mostMs?: number;
  /** That a turn takes however long it lasts: a pause of a process that has little to do refuses nobody. */
  readonly fewestRequests?: number;
}

/**
 * Whatever arrived before a turn began is served within it, and new connections, the queue's answers and all that comes next
 * wait until its end. So who is served late in a long turn is refused, which takes a fifth of the time. A flood can keep a turn
 * from ending: as long as it lasts, half of the time is for accepting. New connections are accepted a few in a turn, so the
 * first request of one has waited for nobody knows how long: it is refused in a long turn, and right after one.
 */
export function createTurnWatch(options: TurnWatchOptions): TurnWatch {
  const { now, afterTurn, mostMs = 100, fewestRequests = 32 } = options;
  let beganMs = 0;
  let requests = 0;
  let longUntilMs = Number.NEGATIVE_INFINITY;

  function begin(): void {
    beganMs = now();
    afterTurn(() => {
      const endedMs = now();
      if (requests > fewestRequests && endedMs - beganMs > mostMs) longUntilMs = endedMs;
      requests = 0;
    });
  }

  return {
    isLate({ isNewClient }) {
      if (requests === 0) begin();
      requests++;
      const nowMs = now();
      if (isNewClient && nowMs - longUntilMs < mostMs) return true;
      if (requests <= fewestRequests) return false;
      const ageMs = nowMs - beganMs;
      return isNewClient ? ageMs > mostMs : ageMs % (2 * mostMs) > mostMs;
    },
  };
}
