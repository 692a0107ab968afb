import { setTimeout as delay } from 'node:timers/promises';

/** Resolves after `delayMs`, or earlier when aborted. */
export async function sleep(delayMs: number, signal: AbortSignal): Promise<void> {
  await delay(delayMs, undefined, { signal }).catch(() => undefined);
}
