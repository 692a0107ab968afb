import { type PostgresSource, usePostgres } from '@tickrate/postgres';
import { ChangeFeed } from '../changes/change-feed.ts';
import { Handover, type HandoverOptions } from './handover.ts';

export type EventTypeWatchOptions = PostgresSource &
  HandoverOptions & {
    readonly now: () => number;
  };

export interface EventTypeWatch {
  /** Rejects with PostgresUnavailable if Postgres is unavailable. */
  start(): Promise<void>;
  /** Resolves after the running call. */
  stop(): Promise<void>;
  /** The number of changed types that were not handed over yet, including those that wait after a fault. */
  pending(): number;
  /** The number of types with an unresolved fault that `isLasting`. */
  rejected(): number;
}

/**
 * Keeps another system up to date with the event types. It passes on states, not changes: a type that changed three
 * times is passed on once, in its latest state. A failed type is retried. So no change is missed, and no state is
 * outdated.
 */
export function createEventTypeWatch(options: EventTypeWatchOptions): EventTypeWatch {
  const { postgres, close } = usePostgres(options);
  const handover = new Handover(postgres, options);
  const feed = new ChangeFeed({
    ...options,
    postgres,
    onChange: (subject) => {
      if (subject.startsWith('type:')) handover.add(subject.slice('type:'.length));
    },
    onReset: () => handover.addAll(),
  });
  return {
    async start() {
      await feed.start();
      handover.start();
    },
    async stop() {
      await Promise.all([handover.stop(), feed.stop()]);
      await close();
    },
    pending: () => handover.pending,
    rejected: () => handover.rejected,
  };
}
