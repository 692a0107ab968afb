import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { isAbsent } from './absent-files.ts';

const retryMs = 2;
const waitMs = 1_000;
/** No save takes so long: a process was killed in one. */
const leftMs = 2_000;

/**
 * One process at a time reads and replaces `state.json`. Resolves with what frees the lock. Resolves after a second also without
 * the lock: then a change can be lost to another process that saves in the same moment.
 */
export async function lockState(folder: string, identity: string): Promise<() => void> {
  const path = join(folder, 'state.lock');
  const untilMs = performance.now() + waitMs;
  while (performance.now() < untilMs) {
    const taken = take(path, identity);
    if (taken !== 'held') return taken === 'mine' ? () => free(path, identity) : () => undefined;
    if (isLeft(path)) takeAway(path, identity);
    else await delay(retryMs);
  }
  return () => undefined;
}

function take(path: string, identity: string): 'mine' | 'held' | 'impossible' {
  try {
    writeFileSync(path, identity, { flag: 'wx', mode: 0o600 });
    return 'mine';
  } catch (error) {
    return (error as { code?: unknown }).code === 'EEXIST' ? 'held' : 'impossible';
  }
}

function isLeft(path: string): boolean {
  try {
    return Math.abs(Date.now() - statSync(path).mtimeMs) > leftMs;
  } catch {
    return false;
  }
}

/** By a rename: of two processes that do this, one deletes the file. */
function takeAway(path: string, identity: string): void {
  try {
    renameSync(path, `${path}.${identity}`);
    rmSync(`${path}.${identity}`, { force: true });
  } catch (error) {
    if (!isAbsent(error)) throw error;
  }
}

function free(path: string, identity: string): void {
  try {
    if (readFileSync(path, 'utf8') === identity) rmSync(path, { force: true });
  } catch {
    // Somebody deleted the folder.
  }
}
