import { createHash } from 'node:crypto';
import { existsSync, lstatSync, mkdirSync, rmSync, statfsSync } from 'node:fs';
import { copyFile, type FileHandle, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Code, fault } from '../answer/http-fault.ts';

export interface SpooledFile {
  readonly path: string;
  readonly bytes: number;
  remove(): Promise<void>;
}

const BODY_LIMIT_BYTES = 16 * 1024 ** 3;
const IN_MEMORY_BYTES = 64 * 1024 * 1024;
const ROOM_FACTOR = 4;
const MEMORY_ROOT = '/dev/shm';

/** Files for one request: in memory (tmpfs) while they are small and it has space, otherwise on disk. */
export type Spool = ReturnType<typeof createSpool>;

/** First removes the files of a killed process. */
export function createSpool(dataDir: string, newName: () => string) {
  const disk = join(dataDir, 'spool');
  emptyFolder(disk);
  const memory = memoryFolder(dataDir);
  const folders = memory === undefined ? [disk] : [disk, memory];
  return {
    folders,
    /** Writes all data. Throws 243 if the disk is full, 413 beyond the limit. The caller removes the file. */
    async store(data: AsyncIterable<Uint8Array>): Promise<SpooledFile> {
      const name = newName();
      const inMemory = memory !== undefined && hasSpace(memory);
      const file = { path: join(inMemory ? memory : disk, name), bytes: 0 };
      let handle: FileHandle | undefined;
      try {
        handle = await open(file.path, 'wx', 0o600);
        for await (const chunk of data) {
          file.bytes += chunk.length;
          if (file.bytes > BODY_LIMIT_BYTES)
            throw fault(Code.queryIsTooLarge, `The request's body is larger than ${BODY_LIMIT_BYTES} bytes`);
          if (inMemory && !file.path.startsWith(disk) && file.bytes > IN_MEMORY_BYTES) {
            handle = await moveTo(join(disk, name), handle, file);
          }
          await handle.write(chunk);
        }
        await handle.close();
      } catch (error) {
        await handle?.close().catch(() => undefined);
        await rm(file.path, { force: true });
        throw translated(error);
      }
      return { ...file, remove: () => rm(file.path, { force: true }) };
    },
    /** A path on disk for the engine to write to. The caller removes it. */
    reserve(): SpooledFile {
      const path = join(disk, newName());
      return { path, bytes: 0, remove: () => rm(path, { force: true }) };
    },
    /** Removes its folders. No request may be running. */
    close() {
      for (const gone of folders) rmSync(gone, { recursive: true, force: true });
    },
  };
}

async function moveTo(path: string, handle: FileHandle, file: { path: string }): Promise<FileHandle> {
  await handle.close();
  const old = file.path;
  await copyFile(old, path);
  file.path = path;
  await rm(old, { force: true });
  return open(path, 'a', 0o600);
}

function memoryFolder(dataDir: string): string | undefined {
  const name = createHash('sha256').update(dataDir).digest('hex').slice(0, 16);
  const folder = join(MEMORY_ROOT, `tickrate-${name}`);
  if (!existsSync(MEMORY_ROOT) || !hasSpace(MEMORY_ROOT)) return undefined;
  try {
    emptyFolder(folder);
    const { uid } = lstatSync(folder);
    return uid === process.getuid?.() ? folder : undefined;
  } catch {
    return undefined;
  }
}

function emptyFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true, mode: 0o700 });
}

function hasSpace(folder: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize > IN_MEMORY_BYTES * ROOM_FACTOR;
  } catch {
    return false;
  }
}

function translated(error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'ENOSPC' || code === 'EDQUOT') {
    return fault(Code.notEnoughSpace, 'Not enough space on the disk for the data of the request');
  }
  return error;
}
