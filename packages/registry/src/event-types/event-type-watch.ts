import { sleep } from '@tickrate/platform';
import { Kysely, PostgresDialect } from 'kysely';
import { ChangeFeed } from '../changes/change-feed.ts';
import { ChangeListener, registryChannel } from '../changes/change-listener.ts';
import { translateDatabaseFault } from '../store/database-fault.ts';
import type { RegistryDatabase } from '../store/database-schema.ts';
import { createRegistryPool } from '../store/registry-pool.ts';
import { eventTypeKey, splitEventTypeKey } from './event-type-source.ts';
import { type EventTypeRecord, listEventTypes } from './event-types.ts';

export interface EventTypeWatchOptions {
  readonly postgresUrl: string;
  readonly now: () => number;
  /**
   * Called with each event type as it stands now: all of them after the start, then each that changed. One at a time.
   * A rejection is told to `onFault` and the type comes again, as it stands then, after a wait.
   */
  readonly onEventType: (eventType: EventTypeRecord) => Promise<void>;
  readonly onFault: (error: unknown) => void;
  readonly pollMs?: number;
  readonly retryMs?: number;
}

export interface EventTypeWatch {
  /** Rejects with RegistryUnavailable when Postgres is away. */
  start(): Promise<void>;
  /** Resolves when the call under way is done. */
  stop(): Promise<void>;
  /** How many types are known to have changed and were not handed over yet. */
  pending(): number;
}

const pageSize = 200;

/**
 * Keeps something else in step with the event types. It hands over states and not changes: a type that changed three
 * times in between comes once, as it is, and one that failed comes again; so nothing is missed and nothing is stale.
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

/** Of all types (until listed) and of those added since, one at a time: waiting → handing over → waiting or retrying. */
class Handover {
  readonly #database: Kysely<RegistryDatabase>;
  readonly #options: EventTypeWatchOptions;
  readonly #due = new Set<string>();
  readonly #stopping = new AbortController();
  #listed = false;
  #wake: () => void = () => undefined;
  #loop: Promise<void> | null = null;

  constructor(database: Kysely<RegistryDatabase>, options: EventTypeWatchOptions) {
    this.#database = database;
    this.#options = options;
  }

  get pending(): number {
    return this.#due.size;
  }

  add(key: string): void {
    this.#due.add(key);
    this.#wake();
  }

  addAll(): void {
    this.#listed = false;
    this.#wake();
  }

  start(): void {
    this.#loop = this.#run();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#wake();
    await this.#loop;
  }

  async #run(): Promise<void> {
    const { onFault, retryMs = 1_000 } = this.#options;
    while (!this.#stopping.signal.aborted) {
      try {
        await this.#step();
      } catch (error) {
        onFault(translateDatabaseFault(error));
        await sleep(retryMs, this.#stopping.signal);
      }
    }
  }

  async #step(): Promise<void> {
    if (!this.#listed) return this.#listAll();
    const [next] = this.#due;
    if (next !== undefined) return this.#handOver(next);
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#wake = resolve;
    await promise;
  }

  async #listAll(): Promise<void> {
    // Before listing: a reset that comes meanwhile must cause another listing.
    this.#listed = true;
    try {
      for await (const { projectId, name } of everyEventType(this.#database)) {
        this.#due.add(eventTypeKey(projectId, name));
      }
    } catch (error) {
      this.#listed = false;
      throw error;
    }
  }

  async #handOver(key: string): Promise<void> {
    // Before reading: a change that comes meanwhile puts it back.
    this.#due.delete(key);
    try {
      const [projectId, name] = splitEventTypeKey(key);
      const [eventType] = await listEventTypes(this.#database, { projectId, name });
      if (eventType) await this.#options.onEventType(eventType);
    } catch (error) {
      this.#due.add(key);
      throw error;
    }
  }
}

async function* everyEventType(database: Kysely<RegistryDatabase>): AsyncGenerator<EventTypeRecord> {
  let after: EventTypeRecord | undefined;
  for (;;) {
    const page = await listEventTypes(database, { limit: pageSize, ...(after ? { after } : {}) });
    yield* page;
    after = page.at(-1);
    if (page.length < pageSize) return;
  }
}
