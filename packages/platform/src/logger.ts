import { type DestinationStream, type Level, type Logger, pino } from 'pino';
import { LineSink } from './line-sink.ts';
import { redactMembers, redactText } from './redact.ts';

export type { DestinationStream, Logger } from 'pino';
export type LogLevel = Level | 'silent';
export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

export interface LoggerOptions {
  /** The process, as it is told in every line. */
  readonly name: string;
  readonly level?: LogLevel;
  /** Where the lines go; standard output, in blocks, when left out. */
  readonly destination?: DestinationStream;
  readonly now?: () => number;
}

/** JSON lines from which keys, tickets, passwords and codes are masked before they are written. */
export function createLogger({ name, level = 'info', destination, now = Date.now }: LoggerOptions): Logger {
  return pino(
    {
      level,
      base: { name },
      timestamp: createTimestamp(now),
      formatters: {
        level: (label) => ({ level: label }),
        log: redactMembers,
        bindings: redactMembers,
      },
      serializers: { err: (error: unknown) => error },
      hooks: { streamWrite: redactText },
    },
    destination ?? standardOutput(),
  );
}

function standardOutput(): DestinationStream {
  const sink = new LineSink({ fd: 1 });
  process.on('exit', () => sink.flushAtExit());
  return sink;
}

// One text for each millisecond: under load many lines share it.
function createTimestamp(now: () => number): () => string {
  let lastMs = 0;
  let text = '';
  return () => {
    const nowMs = now();
    if (nowMs !== lastMs) {
      lastMs = nowMs;
      text = `,"time":"${new Date(nowMs).toISOString()}"`;
    }
    return text;
  };
}
