import { systemError } from '@tickrate/contract';
import { RegistryUnavailable } from '@tickrate/registry';

/** What the registry's cache answers; throws 6001 when it cannot know. */
export async function askRegistry<T>(ask: () => T | Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof RegistryUnavailable)) throw error;
    throw systemError('temporarilyUnavailable', { retryAfterSeconds: 1 }, { cause: error });
  }
}
