/** A clock that only the test moves. Pass `clock.now` where code expects the time in epoch milliseconds. */
export interface ManualClock {
  readonly now: () => number;
  advance(durationMs: number): void;
}

export function createManualClock(startMs = Date.UTC(2026, 0, 1)): ManualClock {
  let currentMs = startMs;
  return {
    now: () => currentMs,
    advance(durationMs) {
      if (!(durationMs >= 0)) throw new RangeError(`A clock does not go back: ${durationMs}`);
      currentMs += durationMs;
    },
  };
}
