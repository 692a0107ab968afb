import { type DestinationStream, type Level, type Logger, pino } from 'pino';
import { redactMembers, redactText } from './redact.ts';

export type { DestinationStream, Logger } from 'pino';
export type LogLevel = Level | 'silent';
export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

export interface LoggerOptions {
  /** The process, as it is told in every line. */
  readonly name: string;
  readonly level?: LogLevel;
  /** Where the lines go; standard output, buffered for at most 200 ms, when left out. */
  readonly destination?: DestinationStream;
}

/** JSON lines from which keys, tickets, passwords and codes are masked before they are written. */
export function createLogger({ name, level = 'info', destination }: LoggerOptions): Logger {
  return pino(
    {
      level,
      base: { name },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: {
        level: (label) => ({ level: label }),
        log: redactMembers,
        bindings: redactMembers,
      },
      serializers: { err: (error: unknown) => error },
      hooks: { streamWrite: redactText },
    },
    destination ?? pino.destination({ fd: 1, sync: false, minLength: 4096, periodicFlush: 200 }),
  );
}
