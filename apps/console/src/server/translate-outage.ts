import { systemError } from '@tickrate/contract';
import { RegistryUnavailable } from '@tickrate/registry';

/** Does the work; a store that is away is 6001 to the client. */
export async function translateOutage<T>(work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof RegistryUnavailable
      ? systemError('temporarilyUnavailable', { retryAfterSeconds: 1 }, { cause: error })
      : error;
  }
}
