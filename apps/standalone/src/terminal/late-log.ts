import { type LogFile, openLogFile } from './log-file.ts';

/** The supervisor's own log. Keeps lines in memory until the log folder exists. */
export interface LateLog {
  write(line: string): void;
  open(path: string): void;
  close(): void;
}

const mostLines = 1_000;

export function createLateLog(): LateLog {
  const early: string[] = [];
  let file: LogFile | null = null;
  return {
    write(line) {
      if (file !== null) file.write(line);
      else if (early.length < mostLines) early.push(line);
    },
    open(path) {
      // A fault of this file cannot be reported anywhere.
      file = openLogFile(path, { onFault: () => undefined });
      for (const line of early.splice(0)) file.write(line);
    },
    close: () => file?.close(),
  };
}
