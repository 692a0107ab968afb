import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { CommandFault, commandCodes } from './command.ts';

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

/** Null when there is no such file, nor a folder that could hold it. Throws a CommandFault when it is not to be read. */
export function readFileIfAny(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : null;
    if (typeof code !== 'string') throw error;
    if (isAbsent(code)) return null;
    throw new CommandFault(`${path} cannot be read (${code}): run this as the user who runs \`npm start\``, {
      code: commandCodes.unavailable,
      cause: error,
    });
  }
}

function isAbsent(code: string): boolean {
  return code === 'ENOENT' || code === 'ENOTDIR';
}
