import { readdirSync, rmdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** Deletes a run without segments. */
export function removeRunIfEmpty(path: string): void {
  try {
    if (readdirSync(path).some((name) => name !== 'lock')) return;
    rmSync(join(path, 'lock'), { force: true });
    rmdirSync(path);
  } catch {
    // Another process is faster, or uses it.
  }
}
