/** Measures the rounds of the event loop that bring many requests. */
export type OverloadCheck = ReturnType<typeof createOverloadCheck>;

/**
 * Requests that arrived before a round of the event loop are served within it. New connections and the answers of the
 * queue wait until its end. So requests late in a long round are rejected, which takes a fifth of the time. A flood can
 * make a round long: half of its time then accepts requests. The first request of a connection has waited for an
 * unknown time, so it is rejected in a long round and right after one.
 */
export function createOverloadCheck(options: {
  /** Monotonic milliseconds. */
  readonly now: () => number;
  /** Calls back at the end of the current round. */
  readonly afterRound: (call: () => void) => void;
  readonly mostMs?: number;
  /** Accepted in every round, so that a pause of an idle process rejects no request. */
  readonly fewestRequests?: number;
}) {
  const { now, afterRound, mostMs = 100, fewestRequests = 32 } = options;
  let beganMs = 0;
  let requests = 0;
  let longUntilMs = Number.NEGATIVE_INFINITY;

  function begin(): void {
    beganMs = now();
    afterRound(() => {
      const endedMs = now();
      if (requests > fewestRequests && endedMs - beganMs > mostMs) longUntilMs = endedMs;
      requests = 0;
    });
  }

  return {
    /** Call it once for each request. Returns true if the request has waited so long that it must be rejected. */
    isOverloaded({ isNewClient }: { readonly isNewClient: boolean }): boolean {
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
