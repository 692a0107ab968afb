/** Limits the bytes in flight by their delay. */
export interface DelayBudget {
  limitBytes(): number;
  /** This many bytes became durable, or were given up. */
  done(bytes: number): void;
}

export interface DelayBudgetOptions {
  readonly maxBytes: number;
  /** Always accepted, at any speed: after an idle time there is no measurement. */
  readonly fewestBytes: number;
  readonly delayMs: number;
  /** Monotonic milliseconds. */
  readonly now: () => number;
}

const memoryMs = 1_000;

/**
 * The budget is what the gateway completes in `delayMs` at the speed of the last second. More in flight would only wait
 * longer, so it is rejected while this is cheap. Short bursts pass: the limit applies only when this much is waiting.
 */
export function createDelayBudget(options: DelayBudgetOptions): DelayBudget {
  const { maxBytes, fewestBytes, delayMs, now } = options;
  let recentBytes = 0;
  let atMs = now();

  function decayed(): number {
    return recentBytes * Math.exp((atMs - now()) / memoryMs);
  }

  return {
    limitBytes: () => Math.min(maxBytes, Math.max(fewestBytes, (decayed() * delayMs) / memoryMs)),
    done(bytes) {
      recentBytes = decayed() + bytes;
      atMs = now();
    },
  };
}
