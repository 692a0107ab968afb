import { type Listening, type PostgresSource, usePostgres } from '@tickrate/postgres';

/**
 * Sends short messages from each process to all others without storing them. They can be lost while Postgres is
 * unavailable.
 */
export interface Broadcast {
  start(): void;
  /** Resolves when Postgres has accepted them. Rejects if it has not; nothing is sent again. */
  send(messages: readonly string[]): Promise<void>;
  stop(): Promise<void>;
}

export type BroadcastOptions = PostgresSource & {
  /** A name in lower case. */
  readonly channel: string;
  /** Called for every message, including those of this process. It must not throw. */
  readonly onMessage: (message: string) => void;
};

/** The limit of one message in bytes: the payload of a notification in Postgres. */
const longestMessage = 7_999;
const sendTimeoutMs = 2_000;

export function createBroadcast({ channel, onMessage, ...source }: BroadcastOptions): Broadcast {
  const { postgres, close } = usePostgres(source);
  const db = postgres.withTimeout(sendTimeoutMs);
  let listening: Listening | null = null;
  return {
    start() {
      listening ??= postgres.listen(channel, (payload) => {
        if (payload !== null) onMessage(payload);
      });
    },
    async send(messages) {
      if (messages.some((message) => Buffer.byteLength(message) > longestMessage))
        throw new RangeError(`A message is at most ${longestMessage} bytes long`);
      await db.query('SELECT pg_notify($1, message) FROM unnest($2::text[]) AS message', [channel, messages]);
    },
    async stop() {
      await listening?.stop();
      await close();
    },
  };
}
