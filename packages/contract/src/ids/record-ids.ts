import { createUuidV7Writer, uuidText } from './uuid-v7.ts';

/** Returns `count` bytes from a cryptographically secure source. */
export type RandomBytes = (count: number) => Uint8Array;

/**
 * Returns the text of a UUIDv7 with 74 random bits. Ids of a later millisecond sort later. It names a record and is no
 * secret: it shows when it was made.
 */
export function createRecordId(nowMs: number, randomBytes: RandomBytes): string {
  const bytes = new Uint8Array(16);
  createUuidV7Writer(randomBytes(10))(bytes, 0, nowMs);
  return uuidText(bytes, 0);
}

/** How many characters of five random bits follow each prefix. */
const idLengths = {
  /** Projects: people read and type these. */
  p: 12,
  /** Accounts. */
  u: 20,
  /** Sessions. */
  us: 20,
  /** Exchanges. */
  x: 20,
  /** Devices. */
  d: 20,
} as const;

// 32 characters that nobody misreads for another: a byte's low five bits choose one without bias.
const alphabet = 'abcdefghijkmnpqrstuvwxyz23456789';

/** Returns a random id whose prefix says what it names: 60 random bits for a project, 100 for the rest. */
export function createNamedId(prefix: keyof typeof idLengths, randomBytes: RandomBytes): string {
  const characters = Array.from(randomBytes(idLengths[prefix]), (byte) => alphabet.charAt(byte & 31));
  return `${prefix}-${characters.join('')}`;
}
