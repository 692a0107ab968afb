import { setTimeout as delay } from 'node:timers/promises';

const POLL_MS = 20;

/** True as soon as the condition holds, false when it did not within the time. */
export async function waitUntil(condition: () => boolean, timeoutMs: number): Promise<boolean> {
  const deadline = performance.now() + timeoutMs;
  while (!condition()) {
    if (performance.now() >= deadline) return false;
    await delay(POLL_MS);
  }
  return true;
}
