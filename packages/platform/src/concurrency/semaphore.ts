export interface SemaphoreOptions {
  readonly permits: number;
  /** How many works may wait; any number when left out. */
  readonly mostWaiting?: number;
  readonly refusal?: () => Error;
}

/** Runs up to `permits` works at once. Others wait, and start in the order in which they came. */
export type Semaphore = ReturnType<typeof createSemaphore>;

export function createSemaphore({
  permits,
  mostWaiting = Number.POSITIVE_INFINITY,
  refusal = () => new Error('Too many wait'),
}: SemaphoreOptions) {
  if (!(permits >= 1)) throw new RangeError(`A semaphore needs at least one permit, not ${permits}`);
  const queue: (() => void)[] = [];
  let running = 0;
  return {
    /**
     * Starts the work as soon as a permit is free: at once if one is free now. Settles as the work does; a failed work
     * gives its permit back too. Rejects with `refusal` at once, without starting the work, when too many wait already.
     */
    async run<T>(work: () => Promise<T>): Promise<T> {
      if (running < permits) running += 1;
      else {
        if (queue.length >= mostWaiting) throw refusal();
        await new Promise<void>((resolve) => queue.push(resolve));
      }
      try {
        return await work();
      } finally {
        // The next in the queue gets the permit directly, so that no newcomer overtakes it.
        const next = queue.shift();
        if (next) next();
        else running -= 1;
      }
    },
    /** How many works are running. */
    running: () => running,
    /** How many works wait for a permit. */
    waiting: () => queue.length,
  };
}
