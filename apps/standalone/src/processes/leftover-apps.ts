import { realpathSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { processesIn, signal } from '@tickrate/embedded';

const steps = [
  // They are already ending, because their supervisor is gone.
  { name: null, waitMs: 1_000 },
  { name: 'SIGTERM', waitMs: 3_000 },
  { name: 'SIGKILL', waitMs: 2_000 },
] as const;
const pollMs = 20;

/**
 * Ends the apps of a killed supervisor that still run: processes that work in this folder and run one of these main
 * files. A shell in the folder is not an app. Databases end without help. Resolves with whether there was one: its
 * ports may become free a moment later.
 */
export async function endLeftoverApps(workingFolder: string, scripts: readonly string[]): Promise<boolean> {
  const folder = realpathSync(workingFolder);
  const alive = () =>
    processesIn(folder).filter(({ commandLine }) => scripts.some((script) => commandLine.includes(script)));
  const found = alive().length > 0;
  for (const { name, waitMs } of steps) {
    if (name !== null) for (const { pid } of alive()) signal(pid, name);
    for (let waitedMs = 0; waitedMs < waitMs && alive().length > 0; waitedMs += pollMs) await delay(pollMs);
  }
  return found;
}
