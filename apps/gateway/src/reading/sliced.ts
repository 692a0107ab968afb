import { setImmediate } from 'node:timers/promises';

/** Work on a body that yields after every slice, so that other requests run in between. */
export type Sliced<T> = Generator<void, T>;

/** A slice takes at most a few milliseconds. Most bodies are one slice. */
export const sliceBytes = 64 * 1024;

/** Whether a body is processed at once. */
export function isOneSlice(body: Buffer): boolean {
  return body.length <= sliceBytes;
}

/** Does all work at once. */
export function finish<T>(work: Sliced<T>): T {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
}

/** Does one slice in each round of the event loop. */
export async function finishInSlices<T>(work: Sliced<T>): Promise<T> {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
    await setImmediate();
  }
}
