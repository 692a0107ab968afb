export type RandomBytes = (count: number) => Uint8Array;

// 32 characters that no one misreads for another: a byte's low five bits choose one without bias.
const alphabet = 'abcdefghijkmnpqrstuvwxyz23456789';

export function createProjectId(randomBytes: RandomBytes): string {
  return `p-${Array.from(randomBytes(12), (byte) => alphabet.charAt(byte & 31)).join('')}`;
}

/** A UUIDv7: ids that are made later sort later. */
export function createRecordId(nowMs: number, randomBytes: RandomBytes): string {
  const bytes = Buffer.alloc(16);
  bytes.writeUIntBE(nowMs, 0, 6);
  bytes.set(randomBytes(10), 6);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x70, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
