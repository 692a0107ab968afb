import { Socket } from 'node:net';
import { createBackoff, createLock, sleep } from '@tickrate/platform';
import pg from 'pg';
import { PostgresUnavailable, translatePostgresFault } from './postgres-fault.ts';
import type { Queryable } from './queryable.ts';

/**
 * One use of a channel. Its statements run on the connection that listens, so they never wait for a busy pool, and a
 * connection that no longer answers is found and replaced.
 */
export interface Listening extends Queryable {
  /**
   * Resolves when the server has answered on this connection, without a transaction. Rejects if it does not, or if no
   * connection listens.
   */
  ping(): Promise<void>;
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
  /** The driver runs one statement at a time. */
  readonly #lock = createLock();
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
      ping: () => this.#ping(),
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
    await this.#lock.run(() => client.query(`LISTEN ${client.escapeIdentifier(channel)}`));
    onNotification(null);
  }

  #notify(channel: string, payload: string): void {
    for (const subscription of this.#subscriptions) {
      if (subscription.channel === channel) subscription.onNotification(payload);
    }
  }

  async #query<Row extends object>(sql: string, values: readonly unknown[] = []): Promise<Row[]> {
    if (this.#connection === null) return this.#options.pool.query(sql, values);
    return this.#ask(async (client) => (await client.query(sql, [...values])).rows as Row[]);
  }

  #ping(): Promise<void> {
    return this.#ask(
      (client) =>
        new Promise((resolve, reject) => {
          // Outside of a transaction, a Sync only asks the server whether it is ready.
          client.query({
            submit: (connection) => connection.sync(),
            callback: (error) => (error ? reject(error) : resolve()),
            handleReadyForQuery() {
              this.callback(null);
            },
            handleError(error) {
              this.callback(error);
            },
          } satisfies SyncQuery);
        }),
    );
  }

  /** Ends a connection that does not answer. */
  async #ask<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
    const connection = this.#connection;
    if (connection === null) throw new PostgresUnavailable('away');
    try {
      return await this.#lock.run(() => work(connection.client));
    } catch (error) {
      const fault = translatePostgresFault(error);
      if (fault instanceof PostgresUnavailable) connection.end();
      throw fault;
    }
  }
}

/** What the driver calls on a query that brings its own messages. It replaces the callback to add its timeout. */
interface SyncQuery extends pg.Submittable {
  callback(error: Error | null): void;
  handleReadyForQuery(): void;
  handleError(error: Error): void;
}
