import { limits } from '../limits.ts';
import { parameterInvalid, type SystemError, systemError } from '../system-error.ts';
import { exactInteger } from './exact-integer.ts';

/** Lossless JSON: integers beyond 2^53 are bigint, and objects keep any key without changing a prototype. */
export type ExactJson = null | boolean | number | bigint | string | readonly ExactJson[] | ExactObject;
export type ExactObject = ReadonlyMap<string, ExactJson>;

/**
 * Reads one JSON value at `at`. `bytes` must be valid UTF-8. Throws the SystemError to answer with:
 * - 1001 with the offset for invalid JSON, a duplicate member, a lone surrogate, or nesting beyond the limit
 * - 1003 for member names that are unsafe in JavaScript
 */
export function parseExactJson(bytes: Uint8Array, at: number) {
  const parser = new ExactParser(bytes, at);
  const value = parser.value(0);
  return { value, end: parser.at };
}

/** Reads all `bytes` as one JSON value. */
export function parseExactDocument(bytes: Uint8Array): ExactJson {
  const parser = new ExactParser(bytes, 0);
  const value = parser.value(0);
  parser.space();
  if (parser.at !== bytes.length) throw malformedJson(parser.at);
  return value;
}

export function malformedJson(offset: number, fields?: string): SystemError {
  return systemError('malformedJson', { offset }, fields === undefined ? {} : { fields });
}

const escapes = new Map([
  [0x22, '"'],
  [0x5c, '\\'],
  [0x2f, '/'],
  [0x62, '\b'],
  [0x66, '\f'],
  [0x6e, '\n'],
  [0x72, '\r'],
  [0x74, '\t'],
]);
const traps = new Set(['__proto__', 'constructor', 'prototype']);
const numberShape = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;

/** Reads the text in one pass. `at` is the offset of the next unread byte. */
class ExactParser {
  readonly bytes: Buffer;
  at: number;

  constructor(bytes: Uint8Array, at: number) {
    this.bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.at = at;
  }

  space(): void {
    for (;;) {
      const byte = this.bytes[this.at];
      if (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) return;
      this.at++;
    }
  }

  value(depth: number): ExactJson {
    this.space();
    switch (this.bytes[this.at]) {
      case 0x7b:
        return this.object(depth + 1);
      case 0x5b:
        return this.array(depth + 1);
      case 0x22:
        return this.string();
      case 0x74:
        return this.word('true', true);
      case 0x66:
        return this.word('false', false);
      case 0x6e:
        return this.word('null', null);
      default:
        return this.number();
    }
  }

  object(depth: number): ExactObject {
    this.enter(depth);
    const members = new Map<string, ExactJson>();
    this.space();
    if (this.take(0x7d)) return members;
    for (;;) {
      this.space();
      const nameAt = this.at;
      if (this.bytes[nameAt] !== 0x22) throw malformedJson(nameAt);
      const name = this.string();
      if (members.has(name)) throw malformedJson(nameAt, `the member '${name.slice(0, 64)}' is named twice`);
      if (traps.has(name)) throw parameterInvalid(name, 'this member name is not accepted');
      this.space();
      this.expect(0x3a);
      members.set(name, this.value(depth));
      this.space();
      if (this.take(0x7d)) return members;
      this.expect(0x2c);
    }
  }

  array(depth: number): readonly ExactJson[] {
    this.enter(depth);
    const items: ExactJson[] = [];
    this.space();
    if (this.take(0x5d)) return items;
    for (;;) {
      items.push(this.value(depth));
      this.space();
      if (this.take(0x5d)) return items;
      this.expect(0x2c);
    }
  }

  string(): string {
    const start = ++this.at;
    let text = '';
    let run = start;
    for (;;) {
      const byte = this.bytes[this.at];
      if (byte === undefined || byte < 0x20) throw malformedJson(this.at);
      if (byte === 0x22) break;
      if (byte === 0x5c) {
        text += this.text(run, this.at) + this.escape();
        run = this.at;
      } else {
        this.at++;
      }
    }
    const hasEscapes = run > start;
    text += this.text(run, this.at);
    this.at++;
    if (hasEscapes && !text.isWellFormed()) throw malformedJson(start, 'a lone surrogate');
    return text;
  }

  escape(): string {
    const code = this.bytes[this.at + 1];
    const plain = code === undefined ? undefined : escapes.get(code);
    if (plain !== undefined) {
      this.at += 2;
      return plain;
    }
    const hex = code === 0x75 ? String.fromCharCode(...this.bytes.subarray(this.at + 2, this.at + 6)) : '';
    if (!/^[0-9A-Fa-f]{4}$/.test(hex)) throw malformedJson(this.at);
    this.at += 6;
    return String.fromCharCode(Number.parseInt(hex, 16));
  }

  number(): number | bigint {
    let end = this.at;
    while (isNumberByte(this.bytes[end])) end++;
    const text = this.text(this.at, end);
    numberShape.lastIndex = 0;
    const match = numberShape.exec(text);
    if (match === null || match[0].length !== text.length) throw malformedJson(this.at);
    this.at = end;
    const value = Number(text);
    return Number.isInteger(value) && !Number.isSafeInteger(value) ? (exactInteger(text) ?? value) : value;
  }

  word<T>(text: string, value: T): T {
    for (let i = 0; i < text.length; i++) {
      if (this.bytes[this.at + i] !== text.charCodeAt(i)) throw malformedJson(this.at + i);
    }
    this.at += text.length;
    return value;
  }

  text(start: number, end: number): string {
    return this.bytes.toString('utf8', start, end);
  }

  enter(depth: number): void {
    if (depth > limits.jsonDepth) throw malformedJson(this.at, `nested deeper than ${limits.jsonDepth}`);
    this.at++;
  }

  take(byte: number): boolean {
    if (this.bytes[this.at] !== byte) return false;
    this.at++;
    return true;
  }

  expect(byte: number): void {
    if (!this.take(byte)) throw malformedJson(this.at);
  }
}

function isNumberByte(byte: number | undefined): boolean {
  return (
    byte !== undefined &&
    ((byte >= 0x30 && byte <= 0x39) ||
      byte === 0x2d ||
      byte === 0x2b ||
      byte === 0x2e ||
      byte === 0x65 ||
      byte === 0x45)
  );
}

/** Writes a value in its shortest form: no white space, only the escapes that JSON requires, exact integers. */
export function writeJson(value: ExactJson): Buffer {
  return Buffer.from(jsonText(value));
}

function jsonText(value: ExactJson): string {
  if (typeof value === 'bigint') return value.toString();
  if (value instanceof Map) {
    const members = [...value].map(([name, member]) => `${JSON.stringify(name)}:${jsonText(member)}`);
    return `{${members.join(',')}}`;
  }
  if (Array.isArray(value)) return `[${value.map(jsonText).join(',')}]`;
  return Object.is(value, -0) ? '-0' : JSON.stringify(value);
}
