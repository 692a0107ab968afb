const table = new Int32Array(256).map((_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit++) value = (value >>> 1) ^ (value & 1 && 0xedb88320);
  return value;
});
const encoder = new TextEncoder();

/** CRC-32 of the UTF-8 of a text, as 8 hex digits. */
export function checksum(text: string): string {
  let crc = -1;
  for (const byte of encoder.encode(text)) crc = (crc >>> 8) ^ (table[(crc ^ byte) & 255] ?? 0);
  return hex(~crc >>> 0, 8);
}

/** The number of bytes of a text as UTF-8. */
export function utf8Length(text: string): number {
  return encoder.encode(text).length;
}

export function hex(value: number, digits: number): string {
  return value.toString(16).padStart(digits, '0');
}
