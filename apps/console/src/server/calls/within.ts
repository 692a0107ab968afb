import { systemError } from '@tickrate/contract';

/** The outcome of the work, or 6001 when it takes longer: it goes on, and nobody waits for it. */
export async function within<T>(timeoutMs: number, work: Promise<T>): Promise<T> {
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
