import { join } from 'node:path';
import { readFileIfAny, writePrivateFile } from './private-file.ts';

/** What `standalone.json` tells whoever may read it: addresses, with credentials where needed, and keys. */
export interface StandaloneFile extends FirstProject {
  readonly gateway: string;
  readonly auth: string;
  readonly console: string;
  readonly clickhouse: string;
  readonly postgres: string;
}

/** The project made on the first start. Its keys are told nowhere else. */
export interface FirstProject {
  readonly projectId: string;
  readonly keys: { readonly public: string; readonly administrative: string };
  /** Who may administer everything here: for signing in with `builtin:admin`. */
  readonly admin: { readonly email: string; readonly password: string };
}

export function standaloneFilePath(folder: string): string {
  return join(folder, 'standalone.json');
}

/** What is in the file, as far as it is there: people edit it. Null when there is no file or no JSON in it. */
export function readStandaloneFile(folder: string): Partial<StandaloneFile> | null {
  const text = readFileIfAny(standaloneFilePath(folder));
  if (text === null) return null;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : null;
  } catch {
    return null;
  }
}

export function writeStandaloneFile(folder: string, file: StandaloneFile): void {
  writePrivateFile(standaloneFilePath(folder), `${JSON.stringify(file, null, 2)}\n`);
}
