import { setTimeout as delay } from 'node:timers/promises';

/** Resolves after `delayMs`, or at once when `signal` is aborted: check the signal afterwards. Never rejects. */
export async function sleep(delayMs: number, signal: AbortSignal): Promise<void> {
  await delay(delayMs, undefined, { signal }).catch(() => undefined);
}
