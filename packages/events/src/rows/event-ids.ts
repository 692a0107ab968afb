import { createUuidV7Writer } from '@tickrate/contract';

/** Writes the ids of events and chunks in the store's form of a UUID (see `createUuidV7Writer`). */
export interface EventIds {
  /** Writes a UUIDv7 for the time `ms`. */
  write(out: Uint8Array, at: number, ms: number): void;
}

const idsPerSeed = 1_024;
const seedBytes = 10;
/** The last four bytes of a seed count up. */
const counterStart = 6;

/**
 * Ids of one run share their random part except for a counter, so that the rows of a chunk compress: ids with random bits
 * of their own took an eighth of a chunk. A new run starts at random after 1,024 ids.
 */
export function createEventIds(fillRandom: (pool: Uint8Array) => void): EventIds {
  const seed = new Uint8Array(seedBytes);
  const writeId = createUuidV7Writer(seed);
  let left = 0;
  return {
    write(out, at, ms) {
      if (left === 0) {
        fillRandom(seed);
        left = idsPerSeed;
      }
      left -= 1;
      writeId(out, at, ms);
      for (let place = seedBytes - 1; place >= counterStart; place -= 1) {
        const next = ((seed[place] ?? 0) + 1) & 0xff;
        seed[place] = next;
        if (next !== 0) return;
      }
    },
  };
}
