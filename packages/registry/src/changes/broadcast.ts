import { createRegistryPool } from '../store/registry-pool.ts';
import { ChangeListener } from './change-listener.ts';

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

export interface BroadcastOptions {
  readonly postgresUrl: string;
  /** A name in lower case. */
  readonly channel: string;
  /** Called for every message, including those of this process. It must not throw. */
  readonly onMessage: (message: string) => void;
  /** Called once for each outage. */
  readonly onFault: (error: unknown) => void;
}

/** The limit of one message in bytes: the payload of a notification in Postgres. */
const longestMessage = 7_999;
const sendTimeoutMs = 2_000;

export function createBroadcast({ onMessage, ...options }: BroadcastOptions): Broadcast {
  const { pool, close } = createRegistryPool({ ...options, maxConnections: 1, timeoutMs: sendTimeoutMs });
  const listener = new ChangeListener({
    ...options,
    onNotification: (payload) => {
      if (payload !== null) onMessage(payload);
    },
  });
  return {
    start: () => listener.start(),
    async send(messages) {
      if (messages.some((message) => Buffer.byteLength(message) > longestMessage))
        throw new RangeError(`A message is at most ${longestMessage} bytes long`);
      await pool.query('SELECT pg_notify($1, message) FROM unnest($2::text[]) AS message', [
        options.channel,
        messages,
      ]);
    },
    async stop() {
      await Promise.all([listener.stop(), close()]);
    },
  };
}
