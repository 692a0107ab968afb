import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { compressFiles } from './compress-files.ts';
import { hashSources } from './hash-sources.ts';

const hashName = 'sources.sha256';

/**
 * Builds the pages into a folder. Does nothing if the folder holds the same sources' pages. Two processes may build at
 * once: each builds into a folder of its own and puts it in place at the end.
 */
export async function buildPages(folder: string): Promise<'built' | 'unchanged'> {
  const hash = hashSources();
  if (isBuiltFrom(folder, hash)) return 'unchanged';
  const draft = mkdtempSync(`${folder}-`);
  try {
    const [{ build }, { viteOptions }] = await Promise.all([import('vite'), import('./vite-options.ts')]);
    await build(viteOptions(draft));
    await compressFiles(draft);
    writeFileSync(join(draft, hashName), hash);
    replace(draft, folder, hash);
  } finally {
    rmSync(draft, { recursive: true, force: true });
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
