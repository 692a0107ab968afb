import { closeSync, fstatSync, mkdirSync, openSync, renameSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';

/** A file for appending. Writing never throws: a failed write is lost, and `onFault` is called once. */
export interface LogFile {
  write(content: string | Uint8Array): void;
  close(): void;
}

export interface LogFileOptions {
  /** A larger file is renamed to `<path>.1`, which replaces the previous one. */
  readonly maxBytes?: number;
  readonly onFault: (error: unknown) => void;
}

const defaultMaxBytes = 8 * 1024 * 1024;

/** Throws if the file cannot be opened. Only its owner can read it. */
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
