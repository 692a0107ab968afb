import { createRegistryPool } from '../store/registry-pool.ts';
import { ChangeListener } from './change-listener.ts';

/** Short messages from each process to all others, kept nowhere. They may be lost while Postgres is away. */
export interface Broadcast {
  start(): void;
  /** Resolves when Postgres has taken them. Rejects when it did not; nothing is sent again. */
  send(messages: readonly string[]): Promise<void>;
  stop(): Promise<void>;
}

export interface BroadcastOptions {
  readonly postgresUrl: string;
  /** A name in lower case. */
  readonly channel: string;
  /** Called for every message, this process' own included. It must not throw. */
  readonly onMessage: (message: string) => void;
  /** Told once for each time that it is away. */
  readonly onFault: (error: unknown) => void;
}

/** Of one message, in bytes: what Postgres takes as the payload of a notification. */
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
