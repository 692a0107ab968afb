import type { RowWriter } from '../rows/row-writer.ts';

/* The parts of the generated readers for the structure of JSON. The conventions are those of read-text.ts. */

export function skipSpace(s: Uint8Array, i: number): number {
  let j = i;
  let c = s[j];
  while (c === 0x20 || c === 0x0a || c === 0x0d || c === 0x09) c = s[++j];
  return j;
}

/** Whether the `length` bytes at `i` are those of `name`. */
export function isName(s: Uint8Array, i: number, length: number, name: Uint8Array): boolean {
  if (length !== name.length) return false;
  for (let n = 0; n < length; n++) if (s[i + n] !== name[n]) return false;
  return true;
}

export function readNull(s: Uint8Array, i: number): number {
  return s[i] === 0x6e && s[i + 1] === 0x75 && s[i + 2] === 0x6c && s[i + 3] === 0x6c ? i + 4 : -1;
}

export function readTrue(s: Uint8Array, i: number, w: RowWriter): number {
  if (s[i] !== 0x74 || s[i + 1] !== 0x72 || s[i + 2] !== 0x75 || s[i + 3] !== 0x65) return -1;
  w.byte(1);
  return i + 4;
}

export function readFalse(s: Uint8Array, i: number, w: RowWriter): number {
  if (s[i] !== 0x66 || s[i + 1] !== 0x61 || s[i + 2] !== 0x6c || s[i + 3] !== 0x73 || s[i + 4] !== 0x65)
    return -1;
  w.byte(0);
  return i + 5;
}

export function readBoolean(s: Uint8Array, i: number, w: RowWriter): number {
  return s[i] === 0x74 ? readTrue(s, i, w) : readFalse(s, i, w);
}

/**
 * Returns the offset after a value whose content is read later, or -1 if its brackets or strings do not close. It
 * accepts more than JSON, so the later read must end at the same offset.
 */
export function skipValue(s: Uint8Array, i: number): number {
  const first = s[i] ?? 0;
  if (first === 0x22) return skipText(s, i);
  if (first !== 0x7b && first !== 0x5b) return isWordByte(first) ? skipWord(s, i) : -1;
  let depth = 1;
  let j = i + 1;
  for (;;) {
    const c = s[j] ?? 0;
    if (c === 0x22) {
      j = skipText(s, j);
      if (j < 0) return -1;
      continue;
    }
    j++;
    // Braces and brackets differ in one bit.
    const bracket = c | 0x20;
    if (bracket === 0x7b) depth++;
    else if (bracket === 0x7d && --depth === 0) return j;
    else if (c === 0) return -1;
  }
}

function skipText(s: Uint8Array, i: number): number {
  let j = i + 1;
  let c = s[j] ?? 0;
  while (c !== 0x22) {
    if (c < 0x20) return -1;
    j += c === 0x5c ? 2 : 1;
    c = s[j] ?? 0;
  }
  return j + 1;
}

function skipWord(s: Uint8Array, i: number): number {
  let j = i + 1;
  while (isWordByte(s[j] ?? 0)) j++;
  return j;
}

/** The characters of numbers, true, false and null. */
function isWordByte(c: number): boolean {
  return (
    (c >= 0x30 && c <= 0x39) ||
    (c >= 0x61 && c <= 0x7a) ||
    c === 0x2e ||
    c === 0x2d ||
    c === 0x2b ||
    c === 0x45
  );
}
