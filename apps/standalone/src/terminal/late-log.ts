import { type LogFile, openLogFile } from './log-file.ts';

/** Where the supervisor's own log lines go: they are kept in memory until the folder of the logs is known. */
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
      // Nowhere is left to tell that this very file cannot be written.
      file = openLogFile(path, { onFault: () => undefined });
      for (const line of early.splice(0)) file.write(line);
    },
    close: () => file?.close(),
  };
}
