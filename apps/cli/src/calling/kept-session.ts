import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { readFileIfAny, writePrivateFile } from '@tickrate/platform';

/** A session that `tickrate sign-in` opened. */
export interface KeptSession {
  readonly console: string;
  readonly projectId: string;
  readonly key: string;
  /** Epoch seconds. */
  readonly expiry: number;
}

/** Returns the path of the file, which only its owner may read. */
export function keepSession(folder: string, session: KeptSession): string {
  writePrivateFile(sessionPath(folder), `${JSON.stringify(session, null, 2)}\n`);
  return sessionPath(folder);
}

/** Null if there is no session, or if the file is not valid. */
export function readKeptSession(folder: string): KeptSession | null {
  const text = readFileIfAny(sessionPath(folder));
  try {
    const value: Partial<KeptSession> | null = text === null ? null : JSON.parse(text);
    const { console, key, expiry, projectId } = value ?? {};
    const isWhole = typeof console === 'string' && typeof key === 'string' && typeof expiry === 'number';
    return isWhole ? { console, key, expiry, projectId: String(projectId) } : null;
  } catch {
    return null;
  }
}

export function forgetSession(folder: string): void {
  rmSync(sessionPath(folder), { force: true });
}

export function sessionPath(folder: string): string {
  return join(folder, 'session.json');
}
