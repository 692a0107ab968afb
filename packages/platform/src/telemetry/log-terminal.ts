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
