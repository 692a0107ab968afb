/** Lets `atOnce` works run side by side and `queueLimit` wait, in order of arrival. */
export interface Turns {
  /** Settles as the work does; throws what `refusal` makes, at once, when too many wait. */
  take<T>(work: () => Promise<T>): Promise<T>;
  readonly running: () => number;
  readonly waiting: () => number;
}

export interface TurnsOptions {
  readonly atOnce: number;
  readonly queueLimit: number;
  readonly refusal: () => Error;
}

export function createTurns({ atOnce, queueLimit, refusal }: TurnsOptions): Turns {
  const queue: (() => void)[] = [];
  let running = 0;
  return {
    async take(work) {
      if (running < atOnce) running += 1;
      else {
        if (queue.length >= queueLimit) throw refusal();
        await new Promise<void>((resolve) => queue.push(resolve));
      }
      try {
        return await work();
      } finally {
        // The turn is handed over and not given back, so that nobody who comes now overtakes.
        const next = queue.shift();
        if (next) next();
        else running -= 1;
      }
    },
    running: () => running,
    waiting: () => queue.length,
  };
}
