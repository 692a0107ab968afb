/** Measures the rounds of the event loop that bring many requests. */
export interface OverloadCheck {
  /** To be called once for each request. Returns true if the request has waited so long that it is refused. */
  isOverloaded(asked: { readonly isNewClient: boolean }): boolean;
}

export interface OverloadCheckOptions {
  /** Monotonic milliseconds. */
  readonly now: () => number;
  /** Calls back when the current round is over. */
  readonly afterTurn: (call: () => void) => void;
  readonly mostMs?: number;
  /** Accepted in every round, so that a pause of an idle process refuses no request. */
  readonly fewestRequests?: number;
}

/**
 * Everything that arrived before a round of the event loop is served within it. New connections and the answers of the
 * queue wait until its end. So requests late in a long round are refused, which takes a fifth of the time. A flood can make
 * a round last: half of its time then accepts requests. The first request of a connection has waited for an unknown time,
 * so it is refused in a long round and right after one.
 */
export function createOverloadCheck(options: OverloadCheckOptions): OverloadCheck {
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
    isOverloaded({ isNewClient }) {
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
