import { closeSync, fstatSync, mkdirSync, openSync, renameSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';

export interface LogFileOptions {
  /** A larger file is renamed to `<path>.1`, which replaces the previous one. */
  readonly maxBytes?: number;
  readonly onFault: (error: unknown) => void;
}

const defaultMaxBytes = 8 * 1024 * 1024;

/** A file for appending. Writing never throws: a failed write is lost, and `onFault` is called once. */
export type LogFile = ReturnType<typeof openLogFile>;

/** Throws if the file cannot be opened. Only its owner can read it. */
export function openLogFile(path: string, options: LogFileOptions) {
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
    write(content: string | Uint8Array) {
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

const mostLines = 1_000;

export type LateLog = ReturnType<typeof createLateLog>;

/** The supervisor's own log. Keeps lines in memory until the log folder exists. */
export function createLateLog() {
  const early: string[] = [];
  let file: LogFile | null = null;
  return {
    write(line: string) {
      if (file !== null) file.write(line);
      else if (early.length < mostLines) early.push(line);
    },
    open(path: string) {
      // A fault of this file cannot be reported anywhere.
      file = openLogFile(path, { onFault: () => undefined });
      for (const line of early.splice(0)) file.write(line);
    },
    close: () => file?.close(),
  };
}
