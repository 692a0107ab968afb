import { systemError } from '@tickrate/contract';
import { settleWithin } from '@tickrate/platform';

/** Returns the result of the work, or throws 6001 if it takes longer. The work then continues without a caller. */
export function withTimeout<T>(timeoutMs: number, work: Promise<T>): Promise<T> {
  return settleWithin(timeoutMs, work, () => systemError('temporarilyUnavailable', { retryAfterSeconds: 1 }));
}

const timeoutOfPartMs = 2_500;

/** The result of the work, or null if it fails or takes longer: a part of an answer that the others do not need. */
export function orNull<T>(work: Promise<T>, onFault: (error: unknown) => void): Promise<T | null> {
  return withTimeout(timeoutOfPartMs, work).catch((error: unknown) => {
    onFault(error);
    return null;
  });
}
