const table = new Int32Array(256).map((_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value;
});

/** CRC-32 of the UTF-8 of a text, as 8 hex digits. */
export function checksum(text: string): string {
  let crc = -1;
  const add = (byte: number) => {
    crc = (crc >>> 8) ^ (table[(crc ^ byte) & 255] ?? 0);
  };
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code < 0x80) add(code);
    else at += addCharacter(text, at, add);
  }
  return ((crc ^ -1) >>> 0).toString(16).padStart(8, '0');
}

/** Adds the bytes of a character that is not ASCII. Returns 1 if it has two halves. */
function addCharacter(text: string, at: number, add: (byte: number) => void): number {
  const code = text.codePointAt(at) ?? 0;
  // A lone half is written as U+FFFD.
  const point = code >= 0xd800 && code < 0xe000 ? 0xfffd : code;
  if (point < 0x800) add(0xc0 | (point >> 6));
  else {
    if (point < 0x1_0000) add(0xe0 | (point >> 12));
    else {
      add(0xf0 | (point >> 18));
      add(0x80 | ((point >> 12) & 63));
    }
    add(0x80 | ((point >> 6) & 63));
  }
  add(0x80 | (point & 63));
  return point < 0x1_0000 ? 0 : 1;
}

/** The number of bytes of a text as UTF-8. */
export function utf8Length(text: string): number {
  let bytes = text.length;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code < 0x80) continue;
    if (code < 0x800) bytes++;
    else {
      bytes += 2;
      // Both halves of a pair are four bytes together.
      if (code >= 0xd800 && code < 0xdc00 && (text.charCodeAt(at + 1) & 0xfc00) === 0xdc00) at++;
    }
  }
  return bytes;
}
