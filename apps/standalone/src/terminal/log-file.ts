import { closeSync, fstatSync, mkdirSync, openSync, renameSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';

/** A file that is appended to. It never throws: what the disk does not take is lost, and `onFault` hears it once. */
export interface LogFile {
  readonly path: string;
  write(content: string | Uint8Array): void;
  close(): void;
}

export interface LogFileOptions {
  /** The file is moved to `<path>.1` when it gets larger; that one is the only older one. */
  readonly maxBytes?: number;
  readonly onFault: (error: unknown) => void;
}

const defaultMaxBytes = 8 * 1024 * 1024;

/** Throws when the file cannot be opened. Only its owner may read it. */
export function openLogFile(path: string, options: LogFileOptions): LogFile {
  const { maxBytes = defaultMaxBytes, onFault } = options;
  mkdirSync(dirname(path), { recursive: true });
  let file: number | null = openSync(path, 'a', 0o600);
  let size = fstatSync(file).size;
  let faulted = false;

  function rotate(old: number): number {
    closeSync(old);
    file = null;
    renameSync(path, `${path}.1`);
    file = openSync(path, 'a', 0o600);
    size = 0;
    return file;
  }

  return {
    path,
    write(content) {
      const bytes = typeof content === 'string' ? Buffer.from(content) : content;
      try {
        let target = file ?? openSync(path, 'a', 0o600);
        file = target;
        if (size > 0 && size + bytes.byteLength > maxBytes) target = rotate(target);
        size += writeSync(target, bytes);
        faulted = false;
      } catch (error) {
        if (!faulted) onFault(error);
        faulted = true;
      }
    },
    close() {
      if (file !== null) closeSync(file);
      file = null;
    },
  };
}
