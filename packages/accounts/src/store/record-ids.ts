export type RandomBytes = (count: number) => Uint8Array;

// 32 characters that no one misreads for another: a byte's low five bits choose one without bias.
const alphabet = 'abcdefghijkmnpqrstuvwxyz23456789';

export type IdPrefix = 'u' | 'us' | 'x' | 'd';

/** 100 random bits behind the word for what it is. */
export function createId(prefix: IdPrefix, randomBytes: RandomBytes): string {
  return `${prefix}-${Array.from(randomBytes(20), (byte) => alphabet.charAt(byte & 31)).join('')}`;
}
