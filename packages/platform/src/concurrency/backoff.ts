export interface BackoffOptions {
  readonly firstMs: number;
  readonly longestMs: number;
  /**
   * From 0 to 1. With it each delay lies between half of the full one and the full one, so that processes that failed
   * together do not come back together. Without it each delay is the full one.
   */
  readonly random?: () => number;
}

/** Delays between attempts: each twice as long as the one before, up to a longest one. */
export type Backoff = ReturnType<typeof createBackoff>;

export function createBackoff({ firstMs, longestMs, random }: BackoffOptions) {
  let fullMs = Math.min(firstMs, longestMs);
  return {
    /** The delay after one more failure. */
    next(): number {
      const delayMs = random === undefined ? fullMs : Math.round((fullMs / 2) * (1 + random()));
      fullMs = Math.min(fullMs * 2, longestMs);
      return delayMs;
    },
    /** Starts again with the first delay: call it after a success. */
    reset() {
      fullMs = Math.min(firstMs, longestMs);
    },
  };
}
