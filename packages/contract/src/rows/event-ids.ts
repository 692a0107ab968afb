/** Writes identifiers in the store's form of a UUID: two little-endian halves. */
export interface EventIds {
  /** A UUIDv7 for the time `ms`. */
  write(out: Uint8Array, at: number, ms: number): void;
}

const poolBytes = 10 * 512;

export function createEventIds(fillRandom: (pool: Uint8Array) => void): EventIds {
  const pool = new Uint8Array(poolBytes);
  let used = poolBytes;
  return {
    write(out, at, ms) {
      if (used === poolBytes) {
        fillRandom(pool);
        used = 0;
      }
      const high = Math.floor(ms / 0x10000);
      const low = ms % 0x10000;
      out[at + 7] = (high >>> 24) & 0xff;
      out[at + 6] = (high >>> 16) & 0xff;
      out[at + 5] = (high >>> 8) & 0xff;
      out[at + 4] = high & 0xff;
      out[at + 3] = low >>> 8;
      out[at + 2] = low & 0xff;
      out[at + 1] = 0x70 | ((pool[used] ?? 0) & 0x0f);
      out[at] = pool[used + 1] ?? 0;
      out[at + 15] = 0x80 | ((pool[used + 2] ?? 0) & 0x3f);
      for (let n = 3; n < 10; n++) out[at + 17 - n] = pool[used + n] ?? 0;
      used += 10;
    },
  };
}

const storedPlace = [7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8];

/** The text of a UUID that stands at `at` in the store's form. */
export function uuidText(bytes: Uint8Array, at: number): string {
  const hex = storedPlace.map((place) => (bytes[at + place] ?? 0).toString(16).padStart(2, '0')).join('');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
