import { sleep } from '@tickrate/platform';
import type pg from 'pg';

export interface ChangeFeedOptions {
  readonly pool: pg.Pool;
  readonly now: () => number;
  /** In the order of their commits; a subject is `key:<hash>`, `type:<project>/<name>`, `policy:<project>`. */
  readonly onChange: (subject: string) => void;
  /** Changes may have been missed: nothing that was read before is known to be true. */
  readonly onReset: () => void;
  readonly onFault: (error: unknown) => void;
  readonly pollMs?: number;
}

interface Progress {
  readonly position: number;
  readonly subjects: readonly string[];
}

const readChanges = `
SELECT position::float8 AS position,
       ARRAY(SELECT subject FROM registry.changes c WHERE c.position > $1 ORDER BY c.position) AS subjects
FROM registry.epoch`;

/**
 * Follows `registry.changes`, which triggers write within every transaction and in the order of commits. The log is
 * the truth; a notification only makes the next reading come at once. So a cut LISTEN connection, a lost notification
 * or a restarted Postgres costs at most one poll (well under a second), and never a change: reading goes on from the
 * position reached. A gap (the log was trimmed) or a step back (a fail-over lost commits) is a reset.
 */
export class ChangeFeed {
  readonly #options: ChangeFeedOptions;
  #stopped = false;
  #failing = false;
  #position: number | null = null;
  #syncedMs: number | null = null;
  #wake = new AbortController();
  #loop: Promise<void> | null = null;

  constructor(options: ChangeFeedOptions) {
    this.#options = options;
  }

  /** When everything that had been committed was known here; null before the first reading. */
  get syncedMs(): number | null {
    return this.#syncedMs;
  }

  /** Resolves when the log was read once; rejects when it cannot be read now. What is loaded from then on is kept true. */
  async start(): Promise<void> {
    await this.#read();
    this.#loop = this.#follow();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#wake.abort();
    await this.#loop;
  }

  /** Something may have changed: read now. */
  wake(): void {
    this.#wake.abort();
  }

  async #follow(): Promise<void> {
    for (;;) {
      const { signal } = this.#wake;
      await sleep(this.#options.pollMs ?? 400, signal);
      if (this.#stopped) return;
      // Replaced before reading: what wakes during a reading causes another one.
      this.#wake = new AbortController();
      await this.#read().then(
        () => {
          this.#failing = false;
        },
        (error: unknown) => this.#fail(error),
      );
    }
  }

  /** Once for each time that Postgres is away. */
  #fail(error: unknown): void {
    if (!this.#failing) this.#options.onFault(error);
    this.#failing = true;
  }

  async #read(): Promise<void> {
    const askedMs = this.#options.now();
    const { rows } = await this.#options.pool.query<Progress>(readChanges, [this.#position ?? 0]);
    const progress = rows[0];
    if (!progress) throw new Error('registry.epoch has no row');
    this.#apply(progress);
    this.#position = progress.position;
    this.#syncedMs = askedMs;
  }

  #apply({ position, subjects }: Progress): void {
    if (this.#position === null) return;
    if (position - this.#position !== subjects.length) this.#options.onReset();
    else for (const subject of subjects) this.#options.onChange(subject);
  }
}
