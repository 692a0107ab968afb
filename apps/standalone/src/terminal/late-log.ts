import { type LogFile, openLogFile } from './log-file.ts';

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
