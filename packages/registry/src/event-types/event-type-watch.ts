import { Kysely, PostgresDialect } from 'kysely';
import { ChangeFeed } from '../changes/change-feed.ts';
import { ChangeListener, registryChannel } from '../changes/change-listener.ts';
import { translateDatabaseFault } from '../store/database-fault.ts';
import type { RegistryDatabase } from '../store/database-schema.ts';
import { createRegistryPool } from '../store/registry-pool.ts';
import type { EventTypeRecord } from './event-types.ts';
import { Handover } from './handover.ts';

export interface EventTypeWatchOptions {
  readonly postgresUrl: string;
  readonly now: () => number;
  /**
   * Called with the current state of each event type: all of them after the start, then each that changed. The types
   * of one project come one at a time, those of several projects in parallel. After a rejection `onFault` is called, and
   * the type comes again, in its state of then, after a growing delay.
   */
  readonly onEventType: (eventType: EventTypeRecord) => Promise<void>;
  readonly onFault: (error: unknown) => void;
  /** Whether a rejection would come again each time: then its message is kept as the fault of the type's view. */
  readonly isLasting?: (error: unknown) => boolean;
  readonly pollMs?: number;
  readonly retryMs?: number;
}

export interface EventTypeWatch {
  /** Rejects with RegistryUnavailable if Postgres is unavailable. */
  start(): Promise<void>;
  /** Resolves after the running call. */
  stop(): Promise<void>;
  /** How many types are known to have changed and were not handed over yet, those that wait after a fault included. */
  pending(): number;
}

/**
 * Keeps another system in step with the event types. It passes on states, not changes: a type that changed three times
 * comes once in its latest state, and a failed one is retried. So nothing is missed and nothing is outdated.
 */
export function createEventTypeWatch(options: EventTypeWatchOptions): EventTypeWatch {
  const { pool, close } = createRegistryPool({ ...options, maxConnections: 2, timeoutMs: 10_000 });
  const database = new Kysely<RegistryDatabase>({ dialect: new PostgresDialect({ pool }) });
  const handover = new Handover(database, options);
  const feed = new ChangeFeed({
    ...options,
    pool,
    onChange: (subject) => {
      if (subject.startsWith('type:')) handover.add(subject.slice('type:'.length));
    },
    onReset: () => handover.addAll(),
  });
  const listener = new ChangeListener({
    ...options,
    channel: registryChannel,
    onNotification: () => feed.wake(),
  });
  return {
    async start() {
      await feed.start().catch((error: unknown) => {
        throw translateDatabaseFault(error);
      });
      listener.start();
      handover.start();
    },
    async stop() {
      await Promise.all([handover.stop(), listener.stop(), feed.stop()]);
      await close();
    },
    pending: () => handover.pending,
  };
}
