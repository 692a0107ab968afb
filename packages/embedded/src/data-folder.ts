import { existsSync, mkdirSync, rmSync, type StatsFs, statfsSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { diskFull, type EmbeddedFault, noFolder, notWritable, remoteDisk } from './embedded-fault.ts';

/** NFS, SMB in its three versions, and 9p, which WSL reads the drives of Windows with: databases lose data there. */
const remoteTypes = new Set([0x6969, 0x517b, 0xff534d42, 0xfe534d42, 0x01021997]);

/** Creates the folder and checks that it is writable and has space. Throws an `EmbeddedFault` otherwise. */
export function prepareDataFolder(
  folder: string,
  neededBytes: number,
  statfs: (folder: string) => Pick<StatsFs, 'type' | 'bavail' | 'bsize'> = statfsSync,
): void {
  const probe = join(folder, `.probe-${process.pid}`);
  try {
    makeFolder(folder);
    writeFileSync(probe, 'x');
    rmSync(probe);
  } catch (error) {
    throw folderFault(folder, error) ?? error;
  }
  const { type, bavail, bsize } = statfs(folder);
  if (process.platform === 'linux' && remoteTypes.has(type)) throw remoteDisk(folder);
  if (bavail * bsize < neededBytes) throw diskFull(folder);
}

/** `recursive: true` of mkdir never returns where a file system such as `/proc` cannot make a folder. */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  makeFolder(dirname(folder));
  try {
    mkdirSync(folder);
  } catch (error) {
    if (!existsSync(folder)) throw error;
  }
}

/** The fault for a known error of the file system. Undefined for others. */
export function folderFault(folder: string, error: unknown): EmbeddedFault | undefined {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === 'ENOSPC' || code === 'EDQUOT') return diskFull(folder);
  if (code === 'ENOTDIR') return noFolder(folder);
  if (['EACCES', 'EPERM', 'EROFS', 'ENOENT', 'EEXIST'].includes(code)) {
    return notWritable(folder, code);
  }
  return undefined;
}
