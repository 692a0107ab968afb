import { join } from 'node:path';
import type { CommandArguments } from '../command-arguments.ts';
import type { StandaloneValues } from '../config.ts';
import { readFileIfAny, writePrivateFile } from '../private-file.ts';
import { readStandaloneFile } from '../standalone-file.ts';
import type { ApiAddresses } from './api.ts';

export interface ApiPlace extends ApiAddresses {
  /** Whose key it is, for people. */
  readonly keyFrom: string | null;
  readonly publicKey: string | null;
}

/** A session that `tickrate sign-in` opened. */
export interface KeptSession {
  readonly console: string;
  readonly projectId: string;
  readonly key: string;
  /** Epoch seconds. */
  readonly expiry: number;
}

/**
 * Where the APIs are and with what key: options and environment, then a session, then what `npm start` wrote down. A key
 * goes only to the server that it was written down with.
 */
export function findApi(given: CommandArguments, values: StandaloneValues, nowMs: number): ApiPlace {
  const file = readStandaloneFile(given.folder);
  const session = readSession(given.folder);
  const console = given.url ?? values.url ?? session?.console ?? file?.console ?? null;
  const isOpen = session !== null && session.console === console && session.expiry * 1000 > nowMs;
  const keys = file?.console === console ? file?.keys : undefined;
  const key = values.key ?? (isOpen ? session.key : null) ?? keys?.administrative ?? null;
  const sources = [
    [values.key, 'TICKRATE_KEY'],
    [isOpen ? session.key : null, 'the session of `sign-in`'],
    [keys?.administrative, 'the file of `npm start`'],
  ] as const;
  return {
    console,
    gateway: given.gateway ?? values.gatewayUrl ?? (keys ? (file?.gateway ?? null) : null),
    auth: given.auth ?? values.authUrl ?? (keys ? (file?.auth ?? null) : null),
    key,
    keyFrom: sources.find(([text]) => typeof text === 'string')?.[1] ?? null,
    publicKey: keys?.public ?? null,
  };
}

function sessionPath(folder: string): string {
  return join(folder, 'session.json');
}

export function keepSession(folder: string, session: KeptSession): string {
  writePrivateFile(sessionPath(folder), `${JSON.stringify(session, null, 2)}\n`);
  return sessionPath(folder);
}

function readSession(folder: string): KeptSession | null {
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
