import { limits, readDate, readDateTime } from '@tickrate/contract';
import { hasFormat } from '../declaration/has-format.ts';
import type { StringShape } from '../declaration/shape.ts';
import type { RowWriter } from '../rows/row-writer.ts';
import { writeIpv4, writeIpv6, writeUuid } from './text-formats.ts';

/*
 * The parts of the generated readers for strings. Each reads a value at `i`, appends its stored form, and returns the
 * offset after it, or -1 if it is not acceptable. A read beyond the end returns undefined, which fails every
 * comparison.
 */

/** Any string, stored unchanged. */
export function readText(s: Buffer, i: number, w: RowWriter): number {
  if (s[i] !== 0x22) return -1;
  const start = i + 1;
  let j = start;
  let c = s[j] ?? 0;
  while (c !== 0x22 && c !== 0x5c && c >= 0x20) c = s[++j] ?? 0;
  if (c !== 0x22) return c === 0x5c ? readEscapedText(s, start, w) : -1;
  if (j - start > limits.eventBytes) return -1;
  w.text(s, start, j - start);
  return j + 1;
}

const plainEscapes = new Map([
  [0x22, 0x22],
  [0x5c, 0x5c],
  [0x2f, 0x2f],
  [0x62, 0x08],
  [0x66, 0x0c],
  [0x6e, 0x0a],
  [0x72, 0x0d],
  [0x74, 0x09],
]);

function readEscapedText(s: Buffer, start: number, w: RowWriter): number {
  const decoded: number[] = [];
  let i = start;
  for (;;) {
    const c = s[i];
    if (c === undefined || c < 0x20 || i - start > limits.eventBytes) return -1;
    if (c === 0x22) break;
    if (c !== 0x5c) {
      decoded.push(c);
      i++;
      continue;
    }
    const plain = plainEscapes.get(s[i + 1] ?? 0);
    if (plain !== undefined) {
      decoded.push(plain);
      i += 2;
      continue;
    }
    const unit = unicodeEscape(s, i);
    const low = (unit & 0xfc00) === 0xd800 ? unicodeEscape(s, i + 6) : -1;
    if (unit < 0 || (unit & 0xfc00) === 0xdc00) return -1;
    if ((unit & 0xfc00) === 0xd800 && (low & 0xfc00) !== 0xdc00) return -1;
    const point = low < 0 ? unit : 0x10000 + ((unit & 0x3ff) << 10) + (low & 0x3ff);
    decoded.push(...Buffer.from(String.fromCodePoint(point)));
    i += low < 0 ? 6 : 12;
  }
  w.text(Uint8Array.from(decoded), 0, decoded.length);
  return i + 1;
}

function unicodeEscape(s: Buffer, i: number): number {
  if (s[i] !== 0x5c || s[i + 1] !== 0x75) return -1;
  let unit = 0;
  for (let n = 2; n < 6; n++) {
    const digit = hexDigit(s[i + n] ?? 0);
    if (digit < 0) return -1;
    unit = (unit << 4) | digit;
  }
  return unit;
}

function hexDigit(byte: number): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const letter = byte | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1;
}

export interface TextRule {
  readonly minLength: number;
  readonly maxLength: number;
  readonly allowed: ReadonlySet<string> | null;
  readonly matches: ((text: string) => boolean) | null;
}

/** Null if any string is accepted. */
export function textRule(shape: StringShape): TextRule | null {
  const { minLength, maxLength, pattern, allowed, format } = shape;
  const named = format === 'email' || format === 'uri' ? format : null;
  if (minLength === 0 && maxLength === Number.POSITIVE_INFINITY && !pattern && !allowed && !named)
    return null;
  const patternMatches = pattern === null ? null : (text: string) => pattern.expression().test(text);
  const matches =
    named === null
      ? patternMatches
      : (text: string) => hasFormat(named, text) && (patternMatches === null || patternMatches(text));
  return { minLength, maxLength, allowed: allowed === null ? null : bytesOf(allowed), matches };
}

const bytesOfLists = new WeakMap<readonly string[], ReadonlySet<string>>();

/** One set for all members that share the list. */
function bytesOf(allowed: readonly string[]): ReadonlySet<string> {
  const known =
    bytesOfLists.get(allowed) ?? new Set(allowed.map((text) => Buffer.from(text).toString('latin1')));
  bytesOfLists.set(allowed, known);
  return known;
}

export function readRuledText(s: Buffer, i: number, w: RowWriter, rule: TextRule): number {
  const end = readText(s, i, w);
  return end < 0 || follows(w, rule) ? end : -1;
}

function follows(w: RowWriter, rule: TextRule): boolean {
  const length = w.at - w.textAt;
  if (rule.allowed !== null && !rule.allowed.has(w.lastText())) return false;
  if (length < rule.minLength || length > rule.maxLength || rule.minLength > 0) {
    const characters = codePoints(w.bytes, w.textAt, w.at);
    if (characters < rule.minLength || characters > rule.maxLength) return false;
  }
  return rule.matches === null || rule.matches(w.bytes.toString('utf8', w.textAt, w.at));
}

function codePoints(bytes: Buffer, start: number, end: number): number {
  let count = 0;
  for (let i = start; i < end; i++) if (((bytes[i] ?? 0) & 0xc0) !== 0x80) count++;
  return count;
}

/** A string whose stored form is not its text. It is read as text, checked, and then overwritten. */
export function readFormatted(s: Buffer, i: number, w: RowWriter, form: TextForm): number {
  const from = w.at;
  const end = form.rule === null ? readText(s, i, w) : readRuledText(s, i, w, form.rule);
  return end >= 0 && form.rewrite(w, from) ? end : -1;
}

export interface TextForm {
  readonly rule: TextRule | null;
  readonly rewrite: (w: RowWriter, from: number) => boolean;
}

export function textForm(shape: StringShape): TextForm | null {
  const rewrite = shape.format === null ? undefined : rewrites.get(shape.format);
  return rewrite === undefined ? null : { rule: textRule(shape), rewrite };
}

const scratch = new Uint8Array(16);
type Write = typeof writeUuid;

function rewriteBytes(write: Write, length: number): TextForm['rewrite'] {
  return (w, from) => {
    if (!write(w.bytes, w.textAt, w.at - w.textAt, scratch, 0)) return false;
    w.at = from;
    w.reserve(length);
    for (let i = 0; i < length; i++) w.bytes[from + i] = scratch[i] ?? 0;
    w.at = from + length;
    return true;
  };
}

const rewrites = new Map<string, TextForm['rewrite']>([
  ['uuid', rewriteBytes(writeUuid, 16)],
  ['ipv4', rewriteBytes(writeIpv4, 4)],
  ['ipv6', rewriteBytes(writeIpv6, 16)],
  [
    'date-time',
    (w, from) => {
      w.timeMs = readDateTime(w.bytes, w.textAt, w.at - w.textAt);
      w.at = from;
      w.int64(w.timeMs);
      return !Number.isNaN(w.timeMs);
    },
  ],
  [
    'date',
    (w, from) => {
      const days = readDate(w.bytes, w.textAt, w.at - w.textAt);
      w.at = from;
      w.int32(days);
      return !Number.isNaN(days);
    },
  ],
]);
