import { existsSync, readdirSync, statSync } from 'node:fs';

/* Files of the buffer can disappear at any moment: other processes send them too, and a person can delete them. */

export function isAbsent(error: unknown): boolean {
  return (error as { code?: unknown }).code === 'ENOENT';
}

export function ignoreAbsent(error: unknown): void {
  if (!isAbsent(error)) throw error;
}

/** Of a folder that may be absent. */
export function namesIn(path: string): string[] {
  return existsSync(path) && statSync(path).isDirectory() ? readdirSync(path) : [];
}
