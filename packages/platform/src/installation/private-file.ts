import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';

/** This user cannot read the file, or its folder is a file. The message says so in one line. */
export class UnreadableFile extends Error {
  constructor(message: string, options: ErrorOptions) {
    super(message, options);
    this.name = 'UnreadableFile';
  }
}

/** Replaces a file that only its owner may read. A reader finds the old text or the new one, always complete. */
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

/** Null when the file or its folder does not exist. Throws an UnreadableFile. */
export function readFileIfAny(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : null;
    if (typeof code !== 'string') throw error;
    if (code === 'ENOENT') return null;
    const message =
      code === 'ENOTDIR'
        ? `${dirname(path)} is a file, or is below one: name a folder with --data DIR`
        : `Cannot read ${path} (${code}): run this as the user who runs \`npm start\``;
    throw new UnreadableFile(message, { cause: error });
  }
}
