import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { BackendOrder, BackendReport } from './backend-sender.ts';
import type { LoadOrder, LoadReport } from './load-generator.ts';
import type { PacedOrder, PacedReport } from './paced-sender.ts';
import type { BareRate, ReplayOrder } from './replay-statements.ts';

/** Runs the load generator in a separate process. Throws when it ends without a report. */
export async function drive(order: LoadOrder): Promise<LoadReport> {
  const child = fork(join(import.meta.dirname, 'load-generator.ts'));
  child.send(order);
  return messageOf<LoadReport>(child);
}

/** Sends as a studio's backend in a separate process. */
export function driveBackend(order: BackendOrder): Promise<BackendReport> {
  const child = fork(join(import.meta.dirname, 'backend-sender.ts'));
  child.send(order);
  return messageOf<BackendReport>(child);
}

/** Sends as many independent players in a separate process. */
export function drivePaced(order: PacedOrder): Promise<PacedReport> {
  const child = fork(join(import.meta.dirname, 'paced-sender.ts'));
  child.send(order);
  return messageOf<PacedReport>(child);
}

/** Runs the bare loop in a separate process. Returns events per second. */
export function runBareLoop(measureMs: number): Promise<number> {
  return messageOf<number>(fork(join(import.meta.dirname, 'bare-loop.ts'), [String(measureMs)]));
}

/** Verifies passwords in a separate process. */
export function runBareArgon2(measureMs: number): Promise<BareRate> {
  return messageOf<BareRate>(fork(join(import.meta.dirname, 'bare-argon2.ts'), [String(measureMs)]));
}

/** Sends recorded statements again in a separate process. */
export function replayStatements(order: ReplayOrder): Promise<BareRate> {
  const child = fork(join(import.meta.dirname, 'replay-statements.ts'), { serialization: 'advanced' });
  child.send(order);
  return messageOf<BareRate>(child);
}

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
