import { startFailed } from '../embedded-fault.ts';
import { holdsWithin, processesIn, signal } from '../process-table.ts';

const STEPS: readonly { name: NodeJS.Signals; waitMs: number }[] = [
  { name: 'SIGINT', waitMs: 5000 },
  { name: 'SIGQUIT', waitMs: 2000 },
  { name: 'SIGKILL', waitMs: 2000 },
];

/**
 * Ends the processes that a killed parent left on this data folder. A process counts only if its working directory is
 * this folder and it is PostgreSQL: this is true of the server and its workers only.
 */
export async function endLeftovers(data: string): Promise<void> {
  const alive = (): number[] =>
    processesIn(data)
      .filter(({ commandLine }) => /postgres/.test(commandLine))
      .map(({ pid }) => pid);
  for (const step of STEPS) {
    const pids = alive();
    if (pids.length === 0) return;
    const parent = pids.reduce((least, pid) => Math.min(least, pid));
    for (const pid of step.name === 'SIGKILL' ? pids : [parent]) signal(pid, step.name);
    await holdsWithin(() => alive().length === 0, step.waitMs);
  }
  if (alive().length > 0) {
    throw startFailed(
      'PostgreSQL',
      `an old server (process ${alive()[0]}) still runs on ${data} and cannot be ended`,
    );
  }
}
