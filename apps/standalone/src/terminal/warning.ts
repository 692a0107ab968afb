import { redactText } from '@tickrate/platform';

/** The part of a log line that the terminal shows. */
export interface Warning {
  readonly level: 'warn' | 'error' | 'fatal';
  readonly text: string;
}

const longestText = 300;

/** The warning in a log line. Null for lower levels and for other text. */
export function warningOf(line: string): Warning | null {
  const level = /^\{"level":"(warn|error|fatal)"/.exec(line)?.[1];
  if (level === undefined) return null;
  const members = membersOf(line);
  const text = [members['msg'], members['component'], faultOf(members['err'])]
    .filter((part) => typeof part === 'string' && part !== '')
    .join(': ');
  return { level: level as Warning['level'], text: shorten(text === '' ? line : text) };
}

/** The warning in a line of standard error, which contains only faults without a logger. */
export function stderrWarningOf(line: string): Warning | null {
  return line.trim() === '' ? null : { level: 'error', text: shorten(redactText(line.trim())) };
}

function membersOf(line: string): Record<string, unknown> {
  try {
    return JSON.parse(line) as Record<string, unknown>;
  } catch {
    return {};
  }
}

function faultOf(err: unknown): string {
  if (typeof err !== 'object' || err === null) return '';
  const { message, errorCode, type } = err as Record<string, unknown>;
  return String((message === '' ? undefined : message) ?? errorCode ?? type ?? '');
}

function shorten(text: string): string {
  const line = text.replace(/\s+/g, ' ');
  return line.length > longestText ? `${line.slice(0, longestText)}…` : line;
}

/** Accepts each text of an app once per pause, so that a person can read them. */
export function createWarningThrottle(
  now: () => number,
  pauseMs = 30_000,
): (app: string, warning: Warning) => boolean {
  const lastMs = new Map<string, number>();
  return (app, { text }) => {
    const nowMs = now();
    // Numbers and ids differ from one occurrence of a fault to the next.
    const key = `${app} ${text.replace(/[0-9a-f-]*\d[0-9a-f-]*/gi, '#')}`;
    const last = lastMs.get(key);
    if (last !== undefined && nowMs - last < pauseMs) return false;
    for (const [old, atMs] of lastMs) if (nowMs - atMs >= pauseMs) lastMs.delete(old);
    lastMs.set(key, nowMs);
    return true;
  };
}
