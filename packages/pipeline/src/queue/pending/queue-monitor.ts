import { createStores, keepOpening, type StoresOptions } from '../stores/open-stores.ts';
import type { QueueStore } from '../stores/queue-store.ts';
import { asUnavailable, confirmWithin } from '../stores/queue-unavailable.ts';
import { type PendingEvents, sumPending } from './group-pending.ts';

export interface QueueMonitorOptions extends StoresOptions {
  /** The limit of jobs that are read from each Redis, because Redis cannot count them by name. */
  readonly maxJobs?: number;
}

const readMs = 10_000;

/**
 * Reads how much is in the queue, for the console and for metrics. Every call rejects with QueueUnavailable if a store
 * is away or does not answer in time.
 */
export type QueueMonitor = ReturnType<typeof createQueueMonitor>;

export function createQueueMonitor(options: QueueMonitorOptions) {
  const { maxJobs = 50_000, onFault = () => undefined } = options;
  const stores = createStores(options, 'producer');
  const stopping = new AbortController();
  let opening: Promise<unknown> = Promise.resolve();

  const opened = <T>(read: (store: QueueStore) => Promise<T>): Promise<T[]> =>
    confirmWithin(
      opening.then(() => Promise.all(stores.map(read))),
      readMs,
      'reading the queue',
    ).catch((fault: unknown) => {
      throw asUnavailable(fault);
    });

  return {
    async start(): Promise<void> {
      opening = Promise.all(stores.map((store) => keepOpening(store, stopping.signal, onFault)));
    },
    levels: () => opened((store) => store.level()),
    async pending(): Promise<PendingEvents> {
      const read = await opened((store) => store.pending(maxJobs));
      return sumPending(read);
    },
    async stop(): Promise<void> {
      stopping.abort();
      await Promise.allSettled([opening]);
      await Promise.allSettled(stores.map((store) => store.close()));
    },
  };
}
