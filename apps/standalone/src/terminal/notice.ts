import { redactText } from '@tickrate/platform';

/** What a log line says that the person at the terminal should see. */
export interface Notice {
  readonly level: 'warn' | 'error' | 'fatal';
  readonly text: string;
}

const longestText = 300;

/** The notice in a line of one of our logs; null when it is a lesser one or none of ours. */
export function noticeOf(line: string): Notice | null {
  const level = /^\{"level":"(warn|error|fatal)"/.exec(line)?.[1];
  if (level === undefined) return null;
  const members = membersOf(line);
  const text = [members['msg'], members['component'], faultOf(members['err'])]
    .filter((part) => typeof part === 'string' && part !== '')
    .join(': ');
  return { level: level as Notice['level'], text: shorten(text === '' ? line : text) };
}

/** The same for a line on standard error, where only faults without a logger are written. */
export function errorNoticeOf(line: string): Notice | null {
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
