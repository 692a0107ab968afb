/**
 * Reads addresses and identifiers from bytes. Each function writes the stored form to `out` and returns whether the
 * text is valid.
 */

const hexValue = new Int8Array(256).fill(-1);
for (let i = 0; i < 16; i++) {
  hexValue[i.toString(16).charCodeAt(0)] = i;
  hexValue[i.toString(16).toUpperCase().charCodeAt(0)] = i;
}
// ClickHouse stores a UUID as two little-endian halves.
const uuidPlace = [7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8];

export function writeUuid(
  bytes: Uint8Array,
  at: number,
  length: number,
  out: Uint8Array,
  outAt: number,
): boolean {
  if (length !== 36) return false;
  let i = at;
  for (let n = 0; n < 16; n++) {
    if (n === 4 || n === 6 || n === 8 || n === 10) {
      if (bytes[i] !== 0x2d) return false;
      i++;
    }
    const byte = ((hexValue[bytes[i] ?? 0] ?? -1) << 4) | (hexValue[bytes[i + 1] ?? 0] ?? -1);
    if (byte < 0) return false;
    out[outAt + (uuidPlace[n] ?? 0)] = byte;
    i += 2;
  }
  return true;
}

/** Four decimal bytes without leading zeros, stored little-endian. */
export function writeIpv4(
  bytes: Uint8Array,
  at: number,
  length: number,
  out: Uint8Array,
  outAt: number,
): boolean {
  let i = at;
  const end = at + length;
  for (let n = 0; n < 4; n++) {
    if (n > 0 && bytes[i++] !== 0x2e) return false;
    const start = i;
    let value = 0;
    while (i < end && i - start < 3 && isDigit(bytes[i])) value = value * 10 + (bytes[i++] ?? 0) - 0x30;
    if (i === start || value > 255 || (i - start > 1 && bytes[start] === 0x30)) return false;
    out[outAt + 3 - n] = value;
  }
  return i === end;
}

const scratch = new Uint8Array(16);

/** RFC 4291 text with `::` and an embedded IPv4 tail, without a zone; stored in network order. */
export function writeIpv6(
  bytes: Uint8Array,
  at: number,
  length: number,
  out: Uint8Array,
  outAt: number,
): boolean {
  const end = at + length;
  let i = at;
  let filled = 0;
  let gap = -1;
  if (length >= 2 && bytes[i] === 0x3a && bytes[i + 1] === 0x3a) {
    gap = 0;
    i += 2;
  }
  while (i < end) {
    if (filled > 14) return false;
    const group = readGroup(bytes, i, end);
    if (group.length === 0) return false;
    if (bytes[i + group.length] === 0x2e && i + group.length < end) {
      if (filled > 12 || !writeIpv4(bytes, i, end - i, scratch, filled)) return false;
      scratch.subarray(filled, filled + 4).reverse();
      filled += 4;
      i = end;
      break;
    }
    scratch[filled++] = group.value >> 8;
    scratch[filled++] = group.value & 0xff;
    i += group.length;
    if (i === end) break;
    if (bytes[i++] !== 0x3a || i === end) return false;
    if (bytes[i] === 0x3a) {
      if (gap >= 0) return false;
      gap = filled;
      i++;
    }
  }
  if (gap < 0 ? filled !== 16 : filled > 14) return false;
  out.fill(0, outAt, outAt + 16);
  const head = gap < 0 ? 16 : gap;
  for (let n = 0; n < head; n++) out[outAt + n] = scratch[n] ?? 0;
  for (let n = head; n < filled; n++) out[outAt + 16 - filled + n] = scratch[n] ?? 0;
  return true;
}

function readGroup(bytes: Uint8Array, at: number, end: number): { value: number; length: number } {
  let value = 0;
  let length = 0;
  while (length < 4 && at + length < end) {
    const digit = hexValue[bytes[at + length] ?? 0] ?? -1;
    if (digit < 0) break;
    value = (value << 4) | digit;
    length++;
  }
  return { value, length };
}

const emailShape =
  /^[^\s@"(),:;<>[\]\\]{1,64}@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z]{2,63}$/;
const uriShape = /^[A-Za-z][A-Za-z0-9+.-]*:(?:[A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;=]|%[0-9A-Fa-f]{2})+$/;

export function isEmail(text: string): boolean {
  return text.length <= 254 && emailShape.test(text);
}

export function isUri(text: string): boolean {
  return uriShape.test(text);
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x30 && byte <= 0x39;
}
