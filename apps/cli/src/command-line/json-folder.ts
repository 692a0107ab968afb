import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { wrongUse } from './command.ts';

/** The paths of the `.json` files of a folder, in the order of their names. Throws a CommandFault if there is none. */
export function jsonFilesIn(folder: string): string[] {
  const names = orWrongUse(folder, () => readdirSync(folder)).filter((name) => name.endsWith('.json'));
  if (names.length === 0) throw wrongUse(`There is no .json file in ${folder}`);
  return names.toSorted().map((name) => join(folder, name));
}

/** Throws a CommandFault if the file cannot be read. */
export function readTextFile(path: string): string {
  return orWrongUse(path, () => readFileSync(path, 'utf8'));
}

/** Throws a CommandFault if the file cannot be read or is not JSON. */
export function readJsonFile(path: string): unknown {
  return orWrongUse(path, (): unknown => JSON.parse(readFileSync(path, 'utf8')));
}

/** Writes one file for each document, named without `.json`. Creates the folder. Returns the paths. */
export function writeJsonFiles(
  folder: string,
  documents: readonly (readonly [name: string, document: unknown])[],
): string[] {
  mkdirSync(folder, { recursive: true });
  return documents.map(([name, document]) => {
    const path = join(folder, `${name}.json`);
    writeFileSync(path, `${JSON.stringify(document, null, 2)}\n`);
    return path;
  });
}

function orWrongUse<T>(path: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (Object(error).code === 'EISDIR') throw wrongUse(`${path} is a folder: name a file in it`, error);
    throw wrongUse(`Cannot read ${path}: ${error instanceof Error ? error.message : String(error)}`, error);
  }
}
