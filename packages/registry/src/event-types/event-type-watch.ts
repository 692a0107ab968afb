import { type PostgresSource, usePostgres } from '@tickrate/postgres';
import { ChangeFeed } from '../changes/change-feed.ts';
import { Handover, type HandoverOptions } from './handover.ts';

export type EventTypeWatchOptions = PostgresSource &
  HandoverOptions & {
    readonly now: () => number;
    readonly pollMs?: number;
  };

export interface EventTypeWatch {
  /** Rejects with PostgresUnavailable if Postgres is unavailable. */
  start(): Promise<void>;
  /** Resolves after the running call. */
  stop(): Promise<void>;
  /** How many types are known to have changed and were not handed over yet, those that wait after a fault included. */
  pending(): number;
  /** How many types failed with a fault that `isLasting` and was not resolved yet. */
  rejected(): number;
}

/**
 * Keeps another system in step with the event types. It passes on states, not changes: a type that changed three times
 * comes once in its latest state, and a failed one is retried. So nothing is missed and nothing is outdated.
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
