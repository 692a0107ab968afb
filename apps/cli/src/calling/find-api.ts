import { parseApiKeyText } from '@tickrate/contract';
import { readInstallationFile } from '@tickrate/platform';
import type { CliValues } from '../config.ts';
import { readKeptSession, sessionPath } from './kept-session.ts';

/** The options of a command that select an installation. */
export interface GivenPlace {
  /** The data folder; absolute. */
  readonly folder: string;
  readonly url: string | undefined;
  readonly gateway: string | undefined;
  readonly auth: string | undefined;
}

export interface ApiPlace {
  readonly console: string | null;
  readonly gateway: string | null;
  readonly auth: string | null;
  readonly key: string | null;
  /** The file of the session, if the key is that of a session. */
  readonly sessionFile: string | null;
  /** The source of the key, in words for people. */
  readonly keyFrom: string | null;
  readonly publicKey: string | null;
  /** Where each process of the data folder serves its health, by its name. */
  readonly processes: Readonly<Record<string, string>>;
}

/**
 * The addresses of the APIs and the key: from options and environment, else from the session of `sign-in`, else from the
 * data folder. A stored key is sent only to the server that it was stored with.
 */
export function findApi(given: GivenPlace, values: CliValues, nowMs: number): ApiPlace {
  const file = readInstallationFile(given.folder);
  const session = readKeptSession(given.folder);
  const console = given.url ?? values.url ?? session?.console ?? file?.console ?? null;
  const isOpen = session !== null && session.console === console && session.expiry * 1000 > nowMs;
  const own = file?.console === console ? file : null;
  const keys = own?.keys;
  const sources = [
    { key: values.key, from: 'TICKRATE_KEY', file: null },
    { key: isOpen ? session.key : null, from: 'the session of `sign-in`', file: sessionPath(given.folder) },
    { key: keys?.administrative ?? null, from: 'the file of `npm start`', file: null },
  ];
  const found = sources.find(({ key }) => key !== null) ?? { key: null, from: null, file: null };
  return {
    console,
    gateway: given.gateway ?? values.gatewayUrl ?? own?.gateway ?? null,
    auth: given.auth ?? values.authUrl ?? own?.auth ?? null,
    key: found.key,
    keyFrom: found.from,
    sessionFile: found.file,
    processes: own?.metrics ?? {},
    publicKey: values.publicKey ?? (isPublic(values.key) ? values.key : null) ?? keys?.public ?? null,
  };
}

function isPublic(key: string | null): boolean {
  return key !== null && parseApiKeyText(key) === 'public';
}
