import { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';

export interface ChangeListenerOptions {
  readonly postgresUrl: string;
  readonly channel: string;
  /** Called with every notification's payload, and with null after every (re)connection. */
  readonly onNotification: (payload: string | null) => void;
  /** Told once for each time that it is away. */
  readonly onFault: (error: unknown) => void;
}

/** What the change log's triggers notify (see `migrations.ts`). */
export const registryChannel = 'tickrate_registry';

const firstBackoffMs = 20;
const longestBackoffMs = 1_000;

/**
 * A connection that does nothing but LISTEN. Connecting → listening → (cut) backing off → connecting.
 * It may be away for as long as it likes: nobody relies on hearing everything.
 */
export class ChangeListener {
  readonly #options: ChangeListenerOptions;
  readonly #stopping = new AbortController();
  readonly #stopped = Promise.withResolvers<void>();
  #backoffMs = firstBackoffMs;
  #loop: Promise<void> | null = null;

  constructor(options: ChangeListenerOptions) {
    this.#options = options;
  }

  start(): void {
    this.#loop = this.#keepListening();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#stopped.resolve();
    await this.#loop;
  }

  async #keepListening(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      await this.#listen().catch((error: unknown) => this.#fail(error));
      await delay(this.#backoffMs, undefined, { signal }).catch(() => undefined);
      this.#backoffMs = Math.min(this.#backoffMs * 2, longestBackoffMs);
    }
  }

  #fail(error: unknown): void {
    if (this.#backoffMs === firstBackoffMs && !this.#stopping.signal.aborted) this.#options.onFault(error);
  }

  async #listen(): Promise<void> {
    const socket = new Socket();
    const client = new pg.Client({
      connectionString: this.#options.postgresUrl,
      connectionTimeoutMillis: 2_000,
      query_timeout: 2_000,
      keepAlive: true,
      stream: () => socket,
    });
    client.on('notification', ({ payload }) => this.#options.onNotification(payload ?? ''));
    try {
      await Promise.race([this.#holdOpen(client), this.#stopped.promise]);
    } finally {
      // A polite end would wait for an answer that a hung server never gives.
      socket.destroy();
    }
  }

  /** Rejects when the connection fails, resolves when the server ends it. */
  async #holdOpen(client: pg.Client): Promise<void> {
    const ended = Promise.withResolvers<void>();
    client.on('error', ended.reject);
    client.on('end', ended.resolve);
    // Lost while connecting, it is told by the rejection of `connect`.
    ended.promise.catch(() => undefined);
    await client.connect();
    await client.query(`LISTEN ${this.#options.channel}`);
    this.#backoffMs = firstBackoffMs;
    this.#options.onNotification(null);
    await ended.promise;
  }
}
