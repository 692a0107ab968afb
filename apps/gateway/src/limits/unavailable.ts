import { type SystemError, systemError } from '@tickrate/contract';

/** 6001 with a random delay, so that clients do not all retry at once. */
export type Unavailable = (cause?: unknown) => SystemError;

const longestWaitSeconds = 4;

/** `random` returns numbers from 0 to less than 1. */
export function createUnavailable(random: () => number): Unavailable {
  return (cause) => {
    const retryAfterSeconds = 1 + Math.floor(random() * longestWaitSeconds);
    return systemError('temporarilyUnavailable', { retryAfterSeconds }, { cause });
  };
}
