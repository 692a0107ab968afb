import { type SystemError, systemError } from '@tickrate/contract';
import { QueueUnavailable } from '@tickrate/pipeline';

const longestWaitSeconds = 4;

/**
 * 6001 with a random delay, so that clients do not all retry at once. `random` returns numbers from 0 to less than 1. If
 * the queue may have the events, the error says so.
 */
export function unavailable(random: () => number, cause?: unknown): SystemError {
  const retryAfterSeconds = 1 + Math.floor(random() * longestWaitSeconds);
  const isUnknown = cause instanceof QueueUnavailable && cause.outcomeUnknown;
  const outcome = isUnknown ? { outcomeUnknown: true } : {};
  return systemError('temporarilyUnavailable', { retryAfterSeconds, ...outcome }, { cause });
}
