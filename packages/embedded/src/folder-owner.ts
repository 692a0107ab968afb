import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { folderFault } from './data-folder.ts';
import { dataInUse } from './embedded-fault.ts';
import { birthOf } from './process-table.ts';

export type FolderOwner = ReturnType<typeof claimFolder>;

/** Claims the folder for this process. Throws `dataInUse` while a running process holds it. */
export function claimFolder(folder: string) {
  const path = join(folder, 'owner.json');
  const mine = `${path}.${process.pid}`;
  const claim = JSON.stringify({ pid: process.pid, birth: birthOf(process.pid) });
  try {
    writeFileSync(mine, claim);
    if (!tryLink(mine, path)) {
      const holder = livingHolder(path);
      if (holder !== undefined) throw dataInUse(folder, holder);
      rmSync(path, { force: true });
      if (!tryLink(mine, path)) throw dataInUse(folder, livingHolder(path) ?? 0);
    }
  } catch (error) {
    throw folderFault(folder, error) ?? error;
  } finally {
    rmSync(mine, { force: true });
  }
  return {
    release() {
      if (read(path) === claim) rmSync(path, { force: true });
    },
  };
}

function tryLink(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}

function livingHolder(path: string): number | undefined {
  const found = /"pid":(\d+),"birth":"([^"]+)"/.exec(read(path) ?? '');
  const pid = Number(found?.[1]);
  return found !== null && birthOf(pid) === found[2] ? pid : undefined;
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
