import { Socket } from 'node:net';
import { createBackoff, sleep } from '@tickrate/platform';
import pg from 'pg';
import { PostgresUnavailable, translatePostgresFault } from './postgres-fault.ts';
import type { Queryable } from './queryable.ts';

/**
 * One use of a channel. Its statements run on the connection that listens, so they never wait for a busy pool, and a
 * connection that no longer answers is found and replaced.
 */
export interface Listening extends Queryable {
  /** No notification follows. The connection ends with its last use. */
  stop(): Promise<void>;
}

export interface ListenerOptions {
  readonly postgresUrl: string;
  readonly name: string;
  /** Called once for each outage. */
  readonly onFault: (error: unknown) => void;
  /** Runs statements while no connection listens. */
  readonly pool: Queryable;
}

interface Subscription {
  readonly channel: string;
  readonly onNotification: (payload: string | null) => void;
}

interface Connection {
  readonly client: pg.Client;
  readonly end: () => void;
}

/** The longest wait for a connection and for an answer of the listener, and of `pool`. */
export const listenerTimeoutMs = 2_000;

/**
 * A connection only for LISTEN. Its states are: idle → (first use) connecting → listening → (cut) backing off →
 * connecting; → (last use ended) idle. Outages of any length are harmless: users read again after every connection.
 */
export class Listener {
  readonly #options: ListenerOptions;
  readonly #subscriptions = new Set<Subscription>();
  readonly #backoff = createBackoff({ firstMs: 20, longestMs: 1_000 });
  #stopping = new AbortController();
  #loop: Promise<void> = Promise.resolve();
  #connection: Connection | null = null;
  #isAway = false;

  constructor(options: ListenerOptions) {
    this.#options = options;
  }

  listen(channel: string, onNotification: Subscription['onNotification']): Listening {
    const subscription = { channel, onNotification };
    this.#subscriptions.add(subscription);
    if (this.#subscriptions.size === 1) this.#start();
    const connection = this.#connection;
    if (connection !== null) this.#subscribe(connection, subscription).catch(connection.end);
    return {
      query: (sql, values) => this.#query(sql, values),
      stop: async () => {
        this.#subscriptions.delete(subscription);
        if (this.#subscriptions.size === 0) await this.stop();
      },
    };
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#loop;
  }

  #start(): void {
    this.#stopping = new AbortController();
    const { signal } = this.#stopping;
    this.#loop = this.#loop.then(() => this.#keepListening(signal));
  }

  async #keepListening(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.#listen(signal).catch((error: unknown) => {
        if (!this.#isAway && !signal.aborted) this.#options.onFault(translatePostgresFault(error));
        this.#isAway = true;
      });
      await sleep(this.#backoff.next(), signal);
    }
  }

  async #listen(signal: AbortSignal): Promise<void> {
    const socket = new Socket();
    const client = new pg.Client({
      connectionString: this.#options.postgresUrl,
      application_name: `${this.#options.name}-listener`,
      connectionTimeoutMillis: listenerTimeoutMs,
      query_timeout: listenerTimeoutMs,
      keepAlive: true,
      // All users of the connection share it. Without, the driver warns of a queue that it will give up.
      pipeline: true,
      stream: () => socket,
    });
    const ended = Promise.withResolvers<void>();
    const end = () => ended.resolve();
    client.on('end', end).on('error', ended.reject);
    client.on('notification', ({ channel, payload }) => this.#notify(channel, payload ?? ''));
    signal.addEventListener('abort', end, { once: true });
    try {
      await Promise.race([this.#connect({ client, end }), ended.promise]);
      await ended.promise;
    } finally {
      signal.removeEventListener('abort', end);
      this.#connection = null;
      // A graceful end waits for an answer, which a hung server never sends.
      socket.destroy();
    }
  }

  async #connect(connection: Connection): Promise<void> {
    await connection.client.connect();
    this.#connection = connection;
    await Promise.all(Array.from(this.#subscriptions, (each) => this.#subscribe(connection, each)));
    this.#backoff.reset();
    this.#isAway = false;
  }

  async #subscribe({ client }: Connection, { channel, onNotification }: Subscription): Promise<void> {
    await client.query(`LISTEN ${client.escapeIdentifier(channel)}`);
    onNotification(null);
  }

  #notify(channel: string, payload: string): void {
    for (const subscription of this.#subscriptions) {
      if (subscription.channel === channel) subscription.onNotification(payload);
    }
  }

  async #query<Row extends object>(sql: string, values: readonly unknown[] = []): Promise<Row[]> {
    const connection = this.#connection;
    if (connection === null) return this.#options.pool.query(sql, values);
    try {
      const { rows } = await connection.client.query(sql, [...values]);
      return rows as Row[];
    } catch (error) {
      const fault = translatePostgresFault(error);
      if (fault instanceof PostgresUnavailable) connection.end();
      throw fault;
    }
  }
}
