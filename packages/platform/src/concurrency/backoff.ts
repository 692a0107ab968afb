/** Delays between attempts: each twice as long as the one before, up to a longest one. */
export interface Backoff {
  /** The delay after one more failure. */
  next(): number;
  /** Starts again with the first delay: call it after a success. */
  reset(): void;
}

export interface BackoffOptions {
  readonly firstMs: number;
  readonly longestMs: number;
  /**
   * From 0 to 1. With it each delay lies between half of the full one and the full one, so that processes that failed
   * together do not come back together. Without it each delay is the full one.
   */
  readonly random?: () => number;
}

export function createBackoff({ firstMs, longestMs, random }: BackoffOptions): Backoff {
  let fullMs = Math.min(firstMs, longestMs);
  return {
    next() {
      const delayMs = random === undefined ? fullMs : Math.round((fullMs / 2) * (1 + random()));
      fullMs = Math.min(fullMs * 2, longestMs);
      return delayMs;
    },
    reset() {
      fullMs = Math.min(firstMs, longestMs);
    },
  };
}
