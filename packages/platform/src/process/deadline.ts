export interface Deadline {
  /** 'late' when the deadline passed first; throws what the work throws before that. */
  race(work: Promise<unknown> | undefined): Promise<'done' | 'late'>;
  clear(): void;
}

/** One deadline for many waits. */
export function createDeadline(timeoutMs: number): Deadline {
  const passed = Promise.withResolvers<'late'>();
  const timer = setTimeout(() => passed.resolve('late'), timeoutMs);
  return {
    // Promise.race hears a later rejection of the loser, so it is not an unhandled one.
    race: (work) => Promise.race([doneAfter(work), passed.promise]),
    clear: () => clearTimeout(timer),
  };
}

async function doneAfter(work: Promise<unknown> | undefined): Promise<'done'> {
  await work;
  return 'done';
}
