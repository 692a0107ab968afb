import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';

/** Replaces a file that only its owner may read: at any moment there is the old one or the new one, and all of it. */
export function writePrivateFile(path: string, text: string): void {
  const partial = `${path}.partial`;
  const file = openSync(partial, 'w', 0o600);
  try {
    writeSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(partial, path);
}

/** Null when there is no such file, nor a folder that could hold it. */
export function readFileIfAny(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && isAbsent(error.code)) return null;
    throw error;
  }
}

function isAbsent(code: unknown): boolean {
  return code === 'ENOENT' || code === 'ENOTDIR';
}
