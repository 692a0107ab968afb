/** Settles like `work`, or throws the fault that `late` makes after `timeoutMs`. The work itself continues. */
export async function settleWithin<T>(timeoutMs: number, work: Promise<T>, late: () => Error): Promise<T> {
  const expiry = Promise.withResolvers<never>();
  const timer = setTimeout(() => expiry.reject(late()), timeoutMs);
  try {
    return await Promise.race([work, expiry.promise]);
  } finally {
    clearTimeout(timer);
  }
}
