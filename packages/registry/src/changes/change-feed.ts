import { sleep } from '@tickrate/platform';
import type { Listening, Postgres } from '@tickrate/postgres';

export interface ChangeFeedOptions {
  readonly postgres: Postgres;
  readonly now: () => number;
  /** In the order of their commits. A subject is `key:<hash>`, `type:<project>/<name>` or `policy:<project>`. */
  readonly onChange: (subject: string) => void;
  /** Changes may have been missed: all data that was read before may be outdated. */
  readonly onReset: () => void;
  readonly onFault: (error: unknown) => void;
}

/** The channel that the triggers of the change log notify (see `registry-schema.ts`). */
const registryChannel = 'tickrate_registry';
const startTimeoutMs = 2_000;
/** How often the connection that listens must answer. */
const pollMs = 1_000;
/** How often the log is read although no notification came. */
const readEveryMs = 40_000;

interface Progress {
  readonly position: number;
  readonly subjects: readonly string[];
}

const readChanges = `
SELECT position::float8 AS position,
       ARRAY(SELECT subject FROM registry.changes c WHERE c.position > $1 ORDER BY c.position) AS subjects
FROM registry.epoch`;

/**
 * Follows `registry.changes`. Triggers write it within every transaction, in the order of commits. The log is
 * authoritative; a notification only causes an immediate read. While the connection that listens answers, no notification
 * is lost; it is asked every second, without a transaction. A connection that does not answer is replaced, and
 * the log is read from the last position, so no change is lost. A gap (the log was trimmed) or a step back (a fail-over
 * lost commits) is a reset.
 */
export class ChangeFeed {
  readonly #options: ChangeFeedOptions;
  #stopped = false;
  #failing = false;
  #position: number | null = null;
  #syncedMs: number | null = null;
  #readMs = Number.NEGATIVE_INFINITY;
  #wake = new AbortController();
  #loop: Promise<void> | null = null;
  #listening: Listening | null = null;

  constructor(options: ChangeFeedOptions) {
    this.#options = options;
  }

  /** The time at which all committed changes were known here. Null before the first read. */
  get syncedMs(): number | null {
    return this.#syncedMs;
  }

  /**
   * Resolves after the first read of the log. Rejects if it cannot be read. Data that is loaded after this is kept up
   * to date.
   */
  async start(): Promise<void> {
    await this.#read();
    this.#listening = this.#options.postgres.listen(registryChannel, () => this.wake());
    this.#loop = this.#follow();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#wake.abort();
    await this.#loop;
    await this.#listening?.stop();
  }

  /** Something may have changed: read immediately. */
  wake(): void {
    this.#wake.abort();
  }

  async #follow(): Promise<void> {
    for (;;) {
      const { signal } = this.#wake;
      await sleep(pollMs, signal);
      if (this.#stopped) return;
      if (!signal.aborted && (await this.#isUpToDate())) continue;
      // Replaced before reading: a wake-up during a read causes another read.
      this.#wake = new AbortController();
      await this.#read().then(
        () => {
          this.#failing = false;
        },
        (error: unknown) => this.#fail(error),
      );
    }
  }

  async #isUpToDate(): Promise<boolean> {
    const askedMs = this.#options.now();
    if (this.#failing || this.#listening === null || askedMs - this.#readMs >= readEveryMs) return false;
    try {
      await this.#listening.ping();
    } catch {
      return false; // the read reports the fault
    }
    if (!this.#wake.signal.aborted) this.#syncedMs = askedMs;
    return true;
  }

  /** Called once for each outage. */
  #fail(error: unknown): void {
    if (!this.#failing) this.#options.onFault(error);
    this.#failing = true;
  }

  async #read(): Promise<void> {
    const askedMs = this.#options.now();
    const db = this.#listening ?? this.#options.postgres.withTimeout(startTimeoutMs);
    const [progress] = await db.query<Progress>(readChanges, [this.#position ?? 0]);
    if (!progress) throw new Error('registry.epoch has no row');
    this.#apply(progress);
    this.#position = progress.position;
    this.#syncedMs = askedMs;
    this.#readMs = askedMs;
  }

  #apply({ position, subjects }: Progress): void {
    if (this.#position === null) return;
    if (position - this.#position !== subjects.length) this.#options.onReset();
    else for (const subject of subjects) this.#options.onChange(subject);
  }
}
