import { glob, realpath, stat } from 'node:fs/promises';
import { isAbsolute, join, relative, sep } from 'node:path';
import { Code, fault } from '../answer/http-fault.ts';
import type { EngineError } from './engine-error.ts';

/** A file that a statement may read. */
export interface UserFile {
  /** Absolute, without links. */
  readonly path: string;
  readonly bytes: number;
}

const MOST_FILES = 1000;
const MOST_CHARACTERS = 1000;
const PATTERN = /[*?{}[\]]/;

/**
 * The files that a path or a pattern names in the folder whose files SQL may read with `file()`, sorted. Throws 291 for
 * one outside the folder, 107 where there is none, and 36 for more than a statement may read.
 */
export async function findUserFiles(folder: string, name: string): Promise<readonly UserFile[]> {
  const pattern = insideFolder(folder, name);
  const root = await realpath(folder);
  const paths = PATTERN.test(pattern) ? await matches(pattern, root) : [join(root, pattern)];
  const files: UserFile[] = [];
  for (const path of paths) {
    const file = await regularFile(path, root, name);
    if (file !== undefined) files.push(file);
  }
  if (files.length === 0) throw fault(Code.fileDoesNotExist, `No file '${name}' in the folder user_files`);
  return files;
}

/** The path relative to the folder. */
function insideFolder(folder: string, name: string): string {
  const path = isAbsolute(name) ? relative(folder, name) : name;
  // No escapes either: they differ between the engine's patterns and those of Node.
  const isPlain = path !== '' && path.length <= MOST_CHARACTERS && !/\.\.|::|[\0\\]/.test(path);
  if (!isPlain || isAbsolute(path)) throw outside(name);
  return path;
}

async function matches(pattern: string, root: string): Promise<string[]> {
  const paths: string[] = [];
  for await (const path of glob(pattern, { cwd: root })) {
    if (paths.push(join(root, path)) > MOST_FILES)
      throw fault(Code.badArguments, `More than ${MOST_FILES} files match '${pattern}'`);
  }
  return paths.sort();
}

/** Undefined for anything except a file, such as a folder. Throws if links lead out of the folder. */
async function regularFile(path: string, root: string, name: string): Promise<UserFile | undefined> {
  const real = await realpath(path).catch(() => undefined);
  if (real === undefined) return undefined;
  // The engine would read the name as a pattern.
  if (!real.startsWith(root + sep) || PATTERN.test(real)) throw outside(name);
  const found = await stat(real);
  return found.isFile() ? { path: real, bytes: found.size } : undefined;
}

function outside(name: string): EngineError {
  const rule =
    'file() reads files in the folder user_files, by names without `..`, `::`, backslashes and links out of it';
  // The code with which a server rejects such a path.
  return fault(Code.databaseAccessDenied, `'${name}' is not allowed: ${rule}`);
}
