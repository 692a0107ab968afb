/** Counts failures in a row. Unlike a circuit breaker it rejects no call: retries continue. */
export interface FailureStreak {
  failed(): void;
  succeeded(): void;
}

export interface FailureStreakOptions {
  /** Failures in a row that make a streak. */
  readonly threshold: number;
  /** Called once when the failures in a row reach the threshold. */
  onBegin(): void;
  /** Called at the first success after that. */
  onEnd(): void;
}

export function createFailureStreak({ threshold, onBegin, onEnd }: FailureStreakOptions): FailureStreak {
  let failures = 0;
  return {
    failed() {
      failures += 1;
      if (failures === threshold) onBegin();
    },
    succeeded() {
      const hasStreak = failures >= threshold;
      failures = 0;
      if (hasStreak) onEnd();
    },
  };
}
