import { systemError } from '@tickrate/contract';
import { QueueUnavailable } from '@tickrate/pipeline';
import { WarehouseFault } from '@tickrate/warehouse';

/** Runs the work. An unavailable store becomes 6001. */
export async function translateOutage<T>(work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const isTransient = error instanceof WarehouseFault && error.transient;
    if (!isTransient && !(error instanceof QueueUnavailable)) throw error;
    throw systemError('temporarilyUnavailable', { retryAfterSeconds: 1 }, { cause: error });
  }
}
