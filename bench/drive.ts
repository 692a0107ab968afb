import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { BackendOrder, BackendReport } from './backend-sender.ts';
import type { LoadOrder, LoadReport } from './load-generator.ts';
import type { PacedOrder, PacedReport } from './paced-sender.ts';
import type { BareRate, ReplayOrder } from './replay-statements.ts';

/** The order and the report of each script that runs in a process of its own. */
interface Scripts {
  'backend-sender.ts': [BackendOrder, BackendReport];
  /** Milliseconds. */
  'bare-argon2.ts': [number, BareRate];
  /** Milliseconds. Reports events per second. */
  'bare-loop.ts': [number, number];
  'load-generator.ts': [LoadOrder, LoadReport];
  'paced-sender.ts': [PacedOrder, PacedReport];
  'replay-statements.ts': [ReplayOrder, BareRate];
}

/** Runs the script in a separate process. Rejects if it ends without a report. */
export function drive<Script extends keyof Scripts>(
  script: Script,
  order: Scripts[Script][0],
): Promise<Scripts[Script][1]> {
  const child = fork(join(import.meta.dirname, script), { serialization: 'advanced' });
  child.send(order);
  return messageOf<Scripts[Script][1]>(child);
}

/**
 * Fifty more players in a process of their own, as on a machine of their own: they see how long an answer takes, where one
 * process that reads thousands of answers a second sees them late.
 */
export const onlookers = { requestsPerSecond: 50, connections: 50, batch: 0 };
/** Events a second from which they look. */
export const crowdedRate = 1_000;

/** Starts the bare server; the returned function ends it. */
export async function startBareHttp(port: number): Promise<() => Promise<void>> {
  const child = fork(join(import.meta.dirname, 'bare-http.ts'), [String(port)]);
  await messageOf(child);
  return async () => {
    const ended = once(child, 'exit');
    child.disconnect();
    await ended;
  };
}

async function messageOf<T>(child: ReturnType<typeof fork>): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  child.once('message', (message) => resolve(message as T));
  child.once('exit', (code) =>
    reject(new Error(`a process of the bench ended with ${code} before it reported`)),
  );
  return promise;
}
