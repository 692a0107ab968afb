import { createHash, createHmac } from 'node:crypto';

/** A secret outside of the database that is mixed into every password. Its id allows replacing it. */
export interface Pepper {
  readonly id: string;
  /** In hex: the Argon2 package accepts text only for verification. */
  season(derivedHex: string): string;
}

export function createPepper(key: Uint8Array): Pepper {
  if (key.byteLength < 16) throw new RangeError('A pepper has at least 16 bytes');
  return {
    id: createHash('sha256').update('pepper id').update(key).digest('hex').slice(0, 8),
    season: (derivedHex) => createHmac('sha256', key).update(derivedHex).digest('hex'),
  };
}
