import { setImmediate } from 'node:timers/promises';

/** Work on a body that yields after every slice of it, so that a large one can let other requests have their turn. */
export type Paced<T> = Generator<void, T>;

/** How much of a body is worked on in one turn: some milliseconds at the worst, and most bodies whole. */
export const sliceBytes = 64 * 1024;

/** Does it all at once. */
export function finish<T>(work: Paced<T>): T {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
}

/** Does a slice each turn of the event loop. */
export async function finishInTurns<T>(work: Paced<T>): Promise<T> {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
    await setImmediate();
  }
}
