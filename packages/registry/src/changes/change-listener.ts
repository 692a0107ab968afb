import { Socket } from 'node:net';
import { createBackoff, sleep } from '@tickrate/platform';
import pg from 'pg';

export interface ChangeListenerOptions {
  readonly postgresUrl: string;
  readonly channel: string;
  /** Called with the payload of every notification, and with null after every connection. */
  readonly onNotification: (payload: string | null) => void;
  /** Called once for each outage. */
  readonly onFault: (error: unknown) => void;
}

/** The channel that the triggers of the change log notify (see `migrations.ts`). */
export const registryChannel = 'tickrate_registry';

/**
 * A connection only for LISTEN. Its states are: connecting → listening → (cut) backing off → connecting. Outages of any
 * length are harmless: readers also poll, and they read again after every reconnection.
 */
export class ChangeListener {
  readonly #options: ChangeListenerOptions;
  readonly #stopping = new AbortController();
  readonly #stopped = Promise.withResolvers<void>();
  readonly #backoff = createBackoff({ firstMs: 20, longestMs: 1_000 });
  #isAway = false;
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
      await sleep(this.#backoff.next(), signal);
    }
  }

  #fail(error: unknown): void {
    if (!this.#isAway && !this.#stopping.signal.aborted) this.#options.onFault(error);
    this.#isAway = true;
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
      // A graceful end waits for an answer, which a hung server never sends.
      socket.destroy();
    }
  }

  /** Rejects if the connection fails, and resolves if the server ends it. */
  async #holdOpen(client: pg.Client): Promise<void> {
    const ended = Promise.withResolvers<void>();
    client.on('error', ended.reject);
    client.on('end', ended.resolve);
    // A connection lost while connecting rejects `connect`, so this rejection needs no handler.
    ended.promise.catch(() => undefined);
    await client.connect();
    await client.query(`LISTEN ${this.#options.channel}`);
    this.#backoff.reset();
    this.#isAway = false;
    this.#options.onNotification(null);
    await ended.promise;
  }
}
