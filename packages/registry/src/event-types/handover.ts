import { type Backoff, createBackoff, sleep } from '@tickrate/platform';
import type { Queryable } from '@tickrate/postgres';
import { type PostgresSource, usePostgres } from '@tickrate/postgres';
import { ChangeFeed } from '../changes/change-feed.ts';
import { eventTypeKey, splitEventTypeKey } from './event-type.ts';
import { type EventTypeRecord, listEventTypes } from './event-types.ts';

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

export interface HandoverOptions {
  /**
   * Called with the current state of each event type: with all types after the start, then with each changed one. It is
   * called for one type of a project at a time, and for several projects at the same time. A rejection is reported to
   * `onFault`. After a growing delay, it is called again with the state at that time.
   */
  readonly onEventType: (eventType: EventTypeRecord) => Promise<void>;
  readonly onFault: (error: unknown) => void;
  /** Whether every retry would fail, too. Then the message is stored as the fault of the type's view. */
  readonly isLasting?: (error: unknown) => boolean;
  readonly retryMs?: number;
}

const pageSize = 200;
const projectsAtOnce = 4;
const longestWaitMs = 10_000;
const longestLastingWaitMs = 600_000;

/**
 * Hands over all types, then each changed type: one type of a project at a time, and several projects at the same time.
 * No project waits for another. States of a type: due → handing over → done, or waiting → due. A failed type waits
 * longer each time and delays no other type.
 */
class Handover {
  readonly #db: Queryable;
  readonly #options: HandoverOptions;
  readonly #due = new Map<string, Set<string>>();
  readonly #busy = new Map<string, Promise<void>>();
  readonly #failed = new Map<string, { readonly lasts: boolean; readonly backoff: Backoff }>();
  readonly #stopping = new AbortController();
  #listed = false;
  #wake: () => void = () => undefined;
  #loop: Promise<void> | null = null;

  constructor(db: Queryable, options: HandoverOptions) {
    this.#db = db;
    this.#options = options;
  }

  get pending(): number {
    const due = [...this.#due.values()].reduce((sum, keys) => sum + keys.size, 0);
    return due + this.#busy.size + this.#failed.size;
  }

  get rejected(): number {
    return [...this.#failed.values()].filter(({ lasts }) => lasts).length;
  }

  add(key: string): void {
    // The type has changed, so the fault may be gone. It begins again with a short delay.
    this.#failed.delete(key);
    this.#addDue(key);
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

  #addDue(key: string): void {
    const [projectId] = splitEventTypeKey(key);
    const ofProject = this.#due.get(projectId) ?? new Set();
    this.#due.set(projectId, ofProject.add(key));
    this.#wake();
  }

  async #run(): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      if (!this.#listed) await this.#listAll();
      this.#startDue();
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#wake = resolve;
      if (this.#listed && !this.#stopping.signal.aborted) await promise;
    }
    await Promise.all(this.#busy.values());
  }

  async #listAll(): Promise<void> {
    // Set before listing, because a reset during the listing must cause another one.
    this.#listed = true;
    try {
      for await (const { projectId, name } of everyEventType(this.#db)) {
        this.#addDue(eventTypeKey(projectId, name));
      }
    } catch (error) {
      this.#listed = false;
      await this.#pause(error);
    }
  }

  #startDue(): void {
    for (const [projectId, keys] of this.#due) {
      if (this.#busy.size >= projectsAtOnce) return;
      const [key] = keys;
      if (key === undefined || this.#busy.has(projectId)) continue;
      // Removed before reading, because a change during the reading adds it again. The project goes to the end of the
      // queue.
      keys.delete(key);
      this.#due.delete(projectId);
      if (keys.size > 0) this.#due.set(projectId, keys);
      this.#busy.set(projectId, this.#handOver(projectId, key));
    }
  }

  async #handOver(projectId: string, key: string): Promise<void> {
    try {
      const [, name] = splitEventTypeKey(key);
      const [eventType] = await listEventTypes(this.#db, { projectId, name });
      if (eventType) await this.#handOverType(key, eventType);
    } catch (error) {
      this.#addDue(key);
      await this.#pause(error);
    }
    this.#busy.delete(projectId);
    this.#wake();
  }

  async #handOverType(key: string, eventType: EventTypeRecord): Promise<void> {
    const { isLasting = () => false, onFault } = this.#options;
    const failure = await this.#options.onEventType(eventType).then(
      () => null,
      (error: unknown) => ({ error }),
    );
    const lasts = failure !== null && isLasting(failure.error);
    if (failure === null) this.#failed.delete(key);
    else {
      onFault(failure.error);
      this.#tryLater(key, lasts);
    }
    const reason = lasts && failure.error instanceof Error ? failure.error.message : null;
    const isOver = failure === null && eventType.viewFault !== null;
    if ((reason !== null && reason !== eventType.viewFault) || isOver) {
      await recordViewFault(this.#db, eventType, reason);
    }
  }

  #tryLater(key: string, lasts: boolean): void {
    const { retryMs = 1_000 } = this.#options;
    const longestMs = lasts ? longestLastingWaitMs : longestWaitMs;
    const before = this.#failed.get(key);
    const failed =
      before?.lasts === lasts ? before : { lasts, backoff: createBackoff({ firstMs: retryMs, longestMs }) };
    this.#failed.set(key, failed);
    void sleep(failed.backoff.next(), this.#stopping.signal).then(() => {
      if (this.#failed.get(key) === failed && !this.#stopping.signal.aborted) this.#addDue(key);
    });
  }

  async #pause(error: unknown): Promise<void> {
    this.#options.onFault(error);
    await sleep(this.#options.retryMs ?? 1_000, this.#stopping.signal);
  }
}

async function* everyEventType(db: Queryable): AsyncGenerator<EventTypeRecord> {
  let after: EventTypeRecord | undefined;
  for (;;) {
    const page = await listEventTypes(db, { limit: pageSize, ...(after ? { after } : {}) });
    yield* page;
    after = page.at(-1);
    if (page.length < pageSize) return;
  }
}

/** Records why a type has no view of its newest version, or null when it has one. The declaration shows it. */
async function recordViewFault(
  db: Queryable,
  { projectId, name }: EventTypeRecord,
  reason: string | null,
): Promise<void> {
  if (reason === null) {
    await db.query('DELETE FROM registry.view_faults WHERE project_id = $1 AND name = $2', [projectId, name]);
    return;
  }
  await db.query(
    `INSERT INTO registry.view_faults (project_id, name, reason) VALUES ($1, $2, $3)
     ON CONFLICT (project_id, name) DO UPDATE SET reason = excluded.reason`,
    [projectId, name, reason],
  );
}
