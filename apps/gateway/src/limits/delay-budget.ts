/** How much may be in flight so that nobody waits too long for it. */
export interface DelayBudget {
  limitBytes(): number;
  /** So much has become durable, or was given up. */
  done(bytes: number): void;
}

export interface DelayBudgetOptions {
  readonly maxBytes: number;
  /** What is let in however slow it was before: a start from idle has nothing to go by. */
  readonly fewestBytes: number;
  readonly delayMs: number;
  /** Monotonic milliseconds. */
  readonly now: () => number;
}

const memoryMs = 1_000;

/**
 * What is done in `delayMs` at the speed of the last second. More in flight would not be done sooner but wait longer, so
 * it is refused while it is still cheap. A burst passes: the limit binds only when that much is waiting already.
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
