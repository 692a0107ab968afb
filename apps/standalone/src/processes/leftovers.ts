import { realpathSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { holdsWithin, isTaken, portTaken, processesIn, signal } from '@tickrate/embedded';
import type { AppPlace } from './app-plans.ts';

const steps = [
  // They are already ending, because their supervisor is gone.
  { name: null, waitMs: 1_000 },
  { name: 'SIGTERM', waitMs: 3_000 },
  { name: 'SIGKILL', waitMs: 2_000 },
] as const;
const portPollMs = 20;

/**
 * Ends the apps of a killed supervisor that still run: processes that work in this folder and run one of these main
 * files. A shell in the folder is not an app. Databases end without help. Then requires the ports of the apps, which may
 * become free a moment later.
 */
export async function endLeftovers(workingFolder: string, places: readonly AppPlace[]): Promise<void> {
  const folder = realpathSync(workingFolder);
  const alive = () =>
    processesIn(folder).filter(({ commandLine }) =>
      places.some(({ script }) => commandLine.includes(script)),
    );
  const timeoutMs = alive().length > 0 ? 1_000 : 0;
  for (const { name, waitMs } of steps) {
    if (name !== null) for (const { pid } of alive()) signal(pid, name);
    await holdsWithin(() => alive().length === 0, waitMs);
  }
  const urls = places.flatMap(({ url, operatorUrl }) => [url, operatorUrl]);
  for (const url of new Set(urls)) await requireFreePort(Number(new URL(url).port), timeoutMs);
}

async function requireFreePort(port: number, timeoutMs: number): Promise<void> {
  for (let waitedMs = 0; await isTaken(port); waitedMs += portPollMs) {
    if (waitedMs >= timeoutMs) throw portTaken(port);
    await delay(portPollMs);
  }
}
