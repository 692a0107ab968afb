import { AsyncLocalStorage } from 'node:async_hooks';
import { SystemError, systemError } from '@tickrate/contract';

const calls = new AsyncLocalStorage<{ wrote: boolean }>();

/** The call that runs stored something, or may have: it was sent, and no answer said otherwise. Every store calls this. */
export function noteWrite(): void {
  const call = calls.getStore();
  if (call !== undefined) call.wrote = true;
}

/**
 * Runs the work of one call. 6001 says that nothing changed. If the call noted a write before it failed, its 6001 has
 * `outcomeUnknown`, whatever failed after the write and why.
 */
export async function withNotedWrites<T>(work: () => Promise<T>): Promise<T> {
  const call = { wrote: false };
  try {
    return await calls.run(call, work);
  } catch (error) {
    if (!(call.wrote && error instanceof SystemError && error.reason === 'temporarilyUnavailable'))
      throw error;
    const data = { ...error.data, outcomeUnknown: true };
    throw systemError(error.reason, data, {
      cause: error,
      ...(error.fields !== null && { fields: error.fields }),
    });
  }
}
