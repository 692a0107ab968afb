import { createHash } from 'node:crypto';
import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { webFolder } from './pages-folder.ts';

const hashName = 'sources.sha256';

/**
 * Builds the pages into a folder. Does nothing if the folder holds the same sources' pages. Two processes may build at
 * once: each builds into a folder of its own and puts it in place at the end.
 */
export async function buildPages(folder: string): Promise<'built' | 'unchanged'> {
  const hash = hashSources();
  if (isBuiltFrom(folder, hash)) return 'unchanged';
  const parent = mkdtempSync(`${folder}-`);
  // Only this user may read the parent. The pages get the usual mode, as another user may serve them.
  const draft = join(parent, 'pages');
  mkdirSync(draft);
  try {
    const [{ build }, { viteOptions }] = await Promise.all([import('vite'), import('./vite-options.ts')]);
    await build(viteOptions(draft));
    await compressFiles(draft);
    writeFileSync(join(draft, hashName), hash);
    replace(draft, folder, hash);
  } finally {
    rmSync(parent, { recursive: true, force: true });
  }
  return 'built';
}

function isBuiltFrom(folder: string, hash: string): boolean {
  const path = join(folder, hashName);
  return existsSync(path) && readFileSync(path, 'utf8') === hash;
}

function replace(draft: string, folder: string, hash: string): void {
  const old = `${draft}-old`;
  if (existsSync(folder)) renameSync(folder, old);
  try {
    renameSync(draft, folder);
  } catch (error) {
    if (!isBuiltFrom(folder, hash)) throw error;
  } finally {
    rmSync(old, { recursive: true, force: true });
  }
}

const notBuilt = /\.(?:test\.ts|md)$|tsconfig\.json$/;
const root = join(import.meta.dirname, '../../../..');
/** Used by the pages and by the servers. */
const sharedFolders = [join(import.meta.dirname, '../tiles'), join(root, 'packages/contract/src')];

/** A hash of everything that the built pages depend on: their sources, this folder, and the locked packages. */
function hashSources(): string {
  const hash = createHash('sha256');
  for (const folder of [webFolder, ...sharedFolders, import.meta.dirname]) {
    const paths = globSync('**/*.*', { cwd: folder }).filter((path) => !notBuilt.test(path));
    for (const path of paths.toSorted()) hash.update(`\n${path}\n`).update(readFileSync(join(folder, path)));
  }
  // The lock file changes with every package of the servers too. A needless build costs seconds, a stale one hours.
  return hash.update(readFileSync(join(root, 'package-lock.json'))).digest('hex');
}

const toBrotli = promisify(brotliCompress);
const toGzip = promisify(gzip);
// Quality 11 makes files 3 % smaller and takes ten times as long.
const brotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };

/** Writes `x.br` and `x.gz` next to each asset that becomes smaller by them. */
async function compressFiles(folder: string): Promise<void> {
  const paths = globSync('assets/*.{js,css,svg,json}', { cwd: folder });
  await Promise.all(paths.map((path) => compress(join(folder, path))));
}

async function compress(path: string): Promise<void> {
  const content = await readFile(path);
  const [brotli, zipped] = await Promise.all([
    toBrotli(content, brotliOptions),
    toGzip(content, { level: 9 }),
  ]);
  await writeFile(`${path}.br`, brotli);
  await writeFile(`${path}.gz`, zipped);
}
