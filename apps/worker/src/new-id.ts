import { createEventIds, uuidText } from '@tickrate/events';

/** UUIDv7s as text, for batches and dead letters. */
export function createNewId(
  now: () => number,
  fillRandom: (pool: Uint8Array<ArrayBuffer>) => void,
): () => string {
  const ids = createEventIds(fillRandom as (pool: Uint8Array) => void);
  const bytes = new Uint8Array(16);
  return () => {
    ids.write(bytes, 0, now());
    return uuidText(bytes, 0);
  };
}
