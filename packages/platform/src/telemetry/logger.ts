import { isatty } from 'node:tty';
import { type Bindings, type DestinationStream, type Level, type Logger, pino } from 'pino';
import { LineSink } from './line-sink.ts';
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

const colours: Readonly<Record<string, string>> = {
  trace: '\u001b[2m',
  debug: '\u001b[2m',
  info: '\u001b[36m',
  warn: '\u001b[33m',
  error: '\u001b[31m',
  fatal: '\u001b[31;1m',
};
const plain = '\u001b[0m';

/** A log line for people on a terminal. Any other line stays as it is. */
export function terminalLine(line: string): string {
  const { level, time, msg, name: _name, err, ...members } = parseLine(line) ?? {};
  if (typeof level !== 'string' || typeof time !== 'string') return line;
  const facts = Object.entries(members).map(([key, value]) => `${key}=${shown(value)}`);
  const head = `${time.slice(11, 23)} ${colours[level] ?? ''}${level.padEnd(5)}${plain} ${shown(msg ?? '')}`;
  return `${[head, ...facts].join(' ')}${err === undefined ? '' : `\n${errorText(err)}`}\n`;
}

function parseLine(line: string): Record<string, unknown> | null {
  try {
    return JSON.parse(line);
  } catch {
    // Not one of ours; it is shown as it came.
    return null;
  }
}

function shown(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function errorText(err: unknown): string {
  if (typeof err !== 'object' || err === null) return shown(err);
  const { stack, message, cause } = err as { stack?: unknown; message?: unknown; cause?: unknown };
  const text = shown(stack ?? message ?? err);
  return cause === undefined ? text : `${text}\ncaused by ${errorText(cause)}`;
}
