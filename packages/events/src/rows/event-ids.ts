/** Writes identifiers in the store's form of a UUID: two little-endian halves. */
export interface EventIds {
  /** A UUIDv7 for the time `ms`. */
  write(out: Uint8Array, at: number, ms: number): void;
}

const idsPerSeed = 1_024;

/**
 * Ids of one run share their random part but for a counter, so that the rows of a chunk compress: an id of its own
 * random bits cost an eighth of a chunk. A new run starts at random every 1,024 ids.
 */
export function createEventIds(fillRandom: (pool: Uint8Array) => void): EventIds {
  const seed = new Uint8Array(10);
  let counter = 0;
  let left = 0;
  return {
    write(out, at, ms) {
      if (left === 0) {
        fillRandom(seed);
        counter =
          (((seed[6] ?? 0) << 24) | ((seed[7] ?? 0) << 16) | ((seed[8] ?? 0) << 8) | (seed[9] ?? 0)) >>> 0;
        left = idsPerSeed;
      }
      left -= 1;
      const high = Math.floor(ms / 0x10000);
      const low = ms % 0x10000;
      out[at + 7] = (high >>> 24) & 0xff;
      out[at + 6] = (high >>> 16) & 0xff;
      out[at + 5] = (high >>> 8) & 0xff;
      out[at + 4] = high & 0xff;
      out[at + 3] = low >>> 8;
      out[at + 2] = low & 0xff;
      out[at + 1] = 0x70 | ((seed[0] ?? 0) & 0x0f);
      out[at] = seed[1] ?? 0;
      out[at + 15] = 0x80 | ((seed[2] ?? 0) & 0x3f);
      out[at + 14] = seed[3] ?? 0;
      out[at + 13] = seed[4] ?? 0;
      out[at + 12] = seed[5] ?? 0;
      out[at + 11] = counter >>> 24;
      out[at + 10] = (counter >>> 16) & 0xff;
      out[at + 9] = (counter >>> 8) & 0xff;
      out[at + 8] = counter & 0xff;
      counter = (counter + 1) >>> 0;
    },
  };
}

const storedPlace = [7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8];

/** The text of a UUID that stands at `at` in the store's form. */
export function uuidText(bytes: Uint8Array, at: number): string {
  const hex = storedPlace.map((place) => (bytes[at + place] ?? 0).toString(16).padStart(2, '0')).join('');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
