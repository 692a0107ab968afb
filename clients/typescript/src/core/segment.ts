import { checksum, utf8Length } from './checksum.ts';

export interface SegmentName {
  readonly timeMs: number;
  readonly number: number;
  readonly key: string;
  readonly sealed: boolean;
}

const namePattern = /^([0-9a-f]{12})([0-9a-f]{4})-([0-9a-f]{32}(?:\.[01])*)\.(open|seal)$/;

/** Null if a file of this name is no segment. */
export function readName(name: string): SegmentName | null {
  const [, time = '', number = '', key = '', state] = namePattern.exec(name) ?? [];
  if (state === undefined) return null;
  return {
    timeMs: Number.parseInt(time, 16),
    number: Number.parseInt(number, 16),
    key,
    sealed: state === 'seal',
  };
}

export function writeName(timeMs: number, number: number, key: string): string {
  const hex = (value: number, digits: number) => value.toString(16).padStart(digits, '0');
  return `${hex(timeMs, 12)}${hex(number % 65_536, 4)}-${key}`;
}

export function writeLine(json: string): string {
  return `${checksum(json)} ${json}\n`;
}

export function writeHeader(principal: string, base: number): string {
  return writeLine(JSON.stringify({ tickrate: 1, principal, base }));
}

export interface ReadSegment {
  readonly principal: string;
  readonly base: number;
  /** The good lines, header included. */
  readonly text: string;
  readonly events: number;
  /** Bytes of `text`. */
  readonly goodBytes: number;
  readonly lost: Readonly<Record<string, number>>;
  readonly outcome: 'send' | 'delete';
}
export interface UnreadSegment {
  readonly outcome: 'aside' | 'leave' | 'delete';
  readonly lost: Readonly<Record<string, number>>;
}

/** What recovery makes of a segment that it found. */
export function readSegment(found: string, sealed: boolean): ReadSegment | UnreadSegment {
  const headerEnd = found.indexOf('\n') + 1;
  if (headerEnd === 0) return { outcome: 'delete', lost: found === '' ? {} : { torn: 1 } };
  const header = readLine(found.slice(0, headerEnd));
  if (Number(header?.['tickrate']) > 1) return { outcome: 'leave', lost: {} };
  const { tickrate, principal, base } = header ?? {};
  if (tickrate !== 1 || typeof principal !== 'string' || typeof base !== 'number')
    return { outcome: 'aside', lost: { damaged: countLines(found) } };
  let end = headerEnd;
  let events = 0;
  for (;;) {
    const next = found.indexOf('\n', end) + 1;
    if (next === 0 || readLine(found.slice(end, next)) === null) break;
    end = next;
    events++;
  }
  const text = found.slice(0, end);
  const goodBytes = utf8Length(text);
  const lost = lossOf(found.slice(end), sealed);
  return { principal, base, text, events, goodBytes, lost, outcome: events === 0 ? 'delete' : 'send' };
}

function lossOf(rest: string, sealed: boolean): Readonly<Record<string, number>> {
  if (/^\0*$/.test(rest)) return {};
  return sealed ? { damaged: countLines(rest) } : { torn: 1 };
}

function countLines(text: string): number {
  return text.split('\n').filter((line) => line !== '').length;
}

/** The JSON object of a good line; null of a bad one. */
function readLine(line: string): Readonly<Record<string, unknown>> | null {
  const json = line.slice(9, -1);
  if (line.length < 12 || line[8] !== ' ' || line.slice(0, 8) !== checksum(json)) return null;
  try {
    const value: unknown = JSON.parse(json);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? (value as Readonly<Record<string, unknown>>) : null;
  } catch {
    return null;
  }
}

/** What is sent: the events without their checksums. */
export function bodyOf(text: string): string {
  // No regular expression: U+2028 is a line end for one, and text for NDJSON.
  const lines = text.split('\n').slice(1, -1);
  return lines.map((line) => `${line.slice(9)}\n`).join('');
}

/** The two segments that become of one that was answered 413. They depend on nothing but the segment. */
export function splitText(text: string): readonly [string, string] {
  const [header = '', ...lines] = text.match(/[^\n]*\n/g) ?? [];
  const middle = Math.ceil(lines.length / 2);
  return [header + lines.slice(0, middle).join(''), header + lines.slice(middle).join('')];
}

/** Children whose parent still exists: nothing of them was sent, and the split will be repeated. */
export function needlessChildren(keys: readonly string[]): string[] {
  const known = new Set(keys);
  return keys.filter((key) => {
    for (let at = key.indexOf('.'); at > 0; at = key.indexOf('.', at + 1))
      if (known.has(key.slice(0, at))) return true;
    return false;
  });
}
