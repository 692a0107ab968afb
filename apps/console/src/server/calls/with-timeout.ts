import { systemError } from '@tickrate/contract';

/** Returns the result of the work, or throws 6001 if it takes longer. The work then continues without a caller. */
export async function withTimeout<T>(timeoutMs: number, work: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => late.reject(systemError('temporarilyUnavailable', { retryAfterSeconds: 1 })),
    timeoutMs,
  );
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
