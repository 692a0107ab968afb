import { setTimeout as delay } from 'node:timers/promises';

export interface WaitOptions {
  readonly timeoutMs?: number;
  readonly intervalMs?: number;
  /** Part of the failure: the thing that the test waits for. */
  readonly what?: string;
}

/**
 * Resolves with the first truthy answer of `condition`; rejects if none comes in time, with its last error as cause.
 */
export async function waitUntil<T>(
  condition: () => T | Promise<T>,
  { timeoutMs = 5_000, intervalMs = 10, what = 'the condition' }: WaitOptions = {},
): Promise<T> {
  const deadline = performance.now() + timeoutMs;
  let cause: unknown;
  for (;;) {
    try {
      const answer = await condition();
      if (answer) return answer;
      cause = undefined;
    } catch (error) {
      cause = error;
    }
    if (performance.now() >= deadline) {
      throw new Error(`Waited ${timeoutMs} ms in vain for ${what}`, { cause });
    }
    await delay(intervalMs);
  }
}
