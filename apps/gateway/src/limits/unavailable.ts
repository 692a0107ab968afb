import { type SystemError, systemError } from '@tickrate/contract';

const longestWaitSeconds = 4;

/**
 * 6001 with a random delay, so that clients do not all retry at once. `random` returns numbers from 0 to less than 1.
 */
export function unavailable(random: () => number, cause?: unknown): SystemError {
  const retryAfterSeconds = 1 + Math.floor(random() * longestWaitSeconds);
  return systemError('temporarilyUnavailable', { retryAfterSeconds }, { cause });
}
