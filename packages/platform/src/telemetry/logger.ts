import { isatty } from 'node:tty';
import { type Bindings, type DestinationStream, type Level, type Logger, pino } from 'pino';
import { LineSink } from './line-sink.ts';
import { terminalLine } from './log-terminal.ts';
import { redactMembers, redactText } from './redact.ts';
import { withTraceId } from './traces.ts';

export type { DestinationStream, Logger } from 'pino';
export type LogLevel = Level | 'silent';
export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

export interface LoggerOptions {
  /** The name of the process, which every line contains. */
  readonly name: string;
  readonly level?: LogLevel;
  /** Where the lines go; standard output, in blocks, when left out. */
  readonly destination?: DestinationStream;
  readonly now?: () => number;
}

/**
 * JSON lines (on a terminal: lines for people) from which keys, tickets, passwords and codes are masked before they
 * are written.
 */
export function createLogger({ name, level = 'info', destination, now = Date.now }: LoggerOptions): Logger {
  const logger = pino(
    {
      level,
      base: { name },
      timestamp: createTimestamp(now),
      formatters: {
        level: (label) => ({ level: label }),
        log: (members) => redactMembers(withTraceId(members)),
      },
      // What redactMembers made of an error already.
      serializers: { err: (error: unknown) => error },
      hooks: { streamWrite: redactText },
    },
    destination ?? standardOutput(),
  );
  return withRedactedBindings(logger);
}

// Children inherit from their parent, so that this holds for them and theirs. Pino's own formatter would not.
function withRedactedBindings(logger: Logger): Logger {
  const { child } = logger;
  function childOf(this: Logger, bindings: Bindings, options?: object): unknown {
    return child.call(this, redactMembers(bindings), options);
  }
  return Object.defineProperty(logger, 'child', { value: childOf });
}

function standardOutput(): DestinationStream {
  const sink = new LineSink({ fd: 1 });
  return isatty(1) ? { write: (line) => sink.write(terminalLine(line)) } : sink;
}

// One text for each millisecond: under load many lines share it.
function createTimestamp(now: () => number): () => string {
  let lastMs = Number.NaN;
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
