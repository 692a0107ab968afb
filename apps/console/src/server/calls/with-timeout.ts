import { systemError } from '@tickrate/contract';
import { settleWithin } from '@tickrate/platform';

/** Returns the result of the work, or throws 6001 if it takes longer. The work then continues without a caller. */
export function withTimeout<T>(timeoutMs: number, work: Promise<T>): Promise<T> {
  return settleWithin(timeoutMs, work, () => systemError('temporarilyUnavailable', { retryAfterSeconds: 1 }));
}
