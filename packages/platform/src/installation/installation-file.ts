import { join, resolve } from 'node:path';
import { readFileIfAny, writePrivateFile } from './private-file.ts';

const defaultFolder = '.tickrate';

/** What `npm start` writes into its data folder for people and tools: addresses, with credentials, and keys. */
export interface InstallationFile extends FirstProject {
  readonly gateway: string;
  readonly auth: string;
  readonly console: string;
  readonly clickhouse: string;
  readonly postgres: string;
  /** Where each process serves health and metrics, by its name. Copies are `gateway-2` and so on. */
  readonly metrics: Readonly<Record<string, string>>;
}

/** The project made on the first start. Its keys are written nowhere else. */
export interface FirstProject {
  readonly projectId: string;
  readonly keys: { readonly public: string; readonly administrative: string };
  /** The administrator of this installation, who signs in with the role `builtin:admin`. */
  readonly admin: { readonly email: string; readonly password: string };
}

/** The value of `--data` as an absolute path; the default folder without the option; null for an empty value. */
export function dataOption(given: unknown): string | null {
  if (given === undefined) return resolve(defaultFolder);
  return typeof given === 'string' && given !== '' ? resolve(given) : null;
}

export function installationFilePath(folder: string): string {
  return join(folder, 'standalone.json');
}

/** The members that the file has, since people edit it. Null when there is no file, or no JSON object in it. */
export function readInstallationFile(folder: string): Partial<InstallationFile> | null {
  const text = readFileIfAny(installationFilePath(folder));
  if (text === null) return null;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : null;
  } catch {
    return null;
  }
}

export function writeInstallationFile(folder: string, file: InstallationFile): void {
  writePrivateFile(installationFilePath(folder), `${JSON.stringify(file, null, 2)}\n`);
}

export const defaultBasePort = 8080;

/** The ports of an installation on one machine: eleven in a row. The worker and the demo have one for metrics and health, the other apps two. */
export function portPlan(basePort: number) {
  return {
    gateway: basePort,
    auth: basePort + 1,
    console: basePort + 2,
    clickhouse: basePort + 3,
    postgres: basePort + 4,
    worker: basePort + 5,
    gatewayMetrics: basePort + 6,
    authMetrics: basePort + 7,
    consoleMetrics: basePort + 8,
    queries: basePort + 9,
    demo: basePort + 10,
  } as const;
}

export type ServiceName = keyof ReturnType<typeof portPlan>;
