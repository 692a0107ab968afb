import { realpathSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { processesIn, signal } from '@tickrate/embedded';

export interface LeftoverPlan {
  /** The folder in which all apps of this instance work. */
  readonly workingFolder: string;
  /** Their main files: a shell that somebody left in the folder is not one of them. */
  readonly scripts: readonly string[];
}

const steps = [
  // They are ending already: their supervisor is gone.
  { name: null, waitMs: 1_000 },
  { name: 'SIGTERM', waitMs: 3_000 },
  { name: 'SIGKILL', waitMs: 2_000 },
] as const;
const pollMs = 20;

/**
 * Ends what the apps of a killed supervisor have not ended themselves; the databases see to their own. Resolves with
 * whether there was any: its ports may be free only a moment later.
 */
export async function endLeftoverApps({ workingFolder, scripts }: LeftoverPlan): Promise<boolean> {
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
