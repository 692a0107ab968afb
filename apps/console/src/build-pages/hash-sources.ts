import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { webFolder } from './pages-folder.ts';

const notBuilt = /\.(?:test\.ts|md)$|tsconfig\.json$/;
/** Used by the pages and by the server. */
const tilesFolder = join(import.meta.dirname, '../tiles');
const root = join(import.meta.dirname, '../../../..');

/** A hash of everything that the built pages depend on: their sources, this folder, and the locked packages. */
export function hashSources(): string {
  const hash = createHash('sha256');
  for (const folder of [webFolder, tilesFolder, import.meta.dirname]) {
    const paths = globSync('**/*.*', { cwd: folder }).filter((path) => !notBuilt.test(path));
    for (const path of paths.toSorted()) hash.update(`\n${path}\n`).update(readFileSync(join(folder, path)));
  }
  // The lock file changes with every package of the servers too. A needless build costs seconds, a stale one hours.
  return hash.update(readFileSync(join(root, 'package-lock.json'))).digest('hex');
}
