import { checksum, hex, utf8Length } from './checksum.ts';
import { type Json, objectOf, parseJson } from './json.ts';

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
  return `${hex(timeMs, 12)}${hex(number % 65_536, 4)}-${key}`;
}

/** The Idempotency-Key of a segment, by its name without `.open` or `.seal`. */
export function keyOf({ name }: { readonly name: string }): string {
  return name.slice(17);
}

/** When a segment began, by its name. */
export function timeOf({ name }: { readonly name: string }): number {
  return Number.parseInt(name.slice(0, 12), 16);
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
  const lines = linesOf(found);
  const [first] = lines;
  if (!first?.endsWith('\n')) return { outcome: 'delete', lost: lossOf(lines, sealed) };
  const { tickrate, principal, base } = readLine(first) ?? {};
  if (Number(tickrate) > 1) return { outcome: 'leave', lost: {} };
  if (tickrate !== 1 || typeof principal !== 'string' || typeof base !== 'number')
    return { outcome: 'aside', lost: { damaged: countOf(lines) } };
  const bad = lines.findIndex((line) => !readLine(line));
  const rest = bad < 0 ? [] : lines.splice(bad);
  const text = lines.join('');
  const events = lines.length - 1;
  const lost = rest.length || !events ? lossOf(rest, sealed) : {};
  const outcome = events ? 'send' : 'delete';
  return { principal, base, text, events, goodBytes: utf8Length(text), lost, outcome };
}

function lossOf(rest: readonly string[], sealed: boolean): Readonly<Record<string, number>> {
  // A sealed file ends with its last event, and has one.
  if (sealed) return { damaged: countOf(rest) || 1 };
  return /^\0*$/.test(rest.join('')) ? {} : { torn: 1 };
}

/** Lines with their line feeds. No `$` or `.`: U+2028 is a line end for those, and text for NDJSON. */
function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+/g) ?? [];
}

function countOf(lines: readonly string[]): number {
  return lines.filter((line) => line !== '\n').length;
}

/** The JSON object of a good line. */
function readLine(line: string): Json | undefined {
  const json = line.slice(9, -1);
  return line === writeLine(json) ? objectOf(parseJson(json)) : undefined;
}

/** What is sent: the events without their checksums. */
export function bodyOf(text: string): string {
  return linesOf(text)
    .slice(1)
    .map((line) => line.slice(9))
    .join('');
}

/** The two segments that become of one that was answered 413. They depend on nothing but the segment. */
export function splitText(text: string): readonly [string, string] {
  const [header = '', ...lines] = linesOf(text);
  const middle = Math.ceil(lines.length / 2);
  return [header + lines.slice(0, middle).join(''), header + lines.slice(middle).join('')];
}

/** Children whose parent still exists: nothing of them was sent, and the split will be repeated. */
export function needlessChildren(keys: readonly string[]): string[] {
  return keys.filter((key) => key[32] && keys.some((other) => key.startsWith(`${other}.`)));
}
