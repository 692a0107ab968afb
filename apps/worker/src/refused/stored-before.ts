import type { FragmentPart, FragmentState, SealedBatch } from '@tickrate/pipeline';

export type OpenParts = (part: FragmentPart) => boolean;

/** The store's own counts for a batch whose token it may have forgotten. */
export function storedBefore(batch: SealedBatch, counts: ReadonlyMap<string, number>) {
  const places = placesOf(batch);
  const whole = batch.fragments.length === 0;
  const countOf = (id: string) => counts.get(id) ?? 0;
  return {
    /** Stored chunks, except for dropped rows. */
    storedChunks: whole
      ? places.filter(({ id, rows }) => rows > 0 && countOf(id) >= rows).map(({ id }) => id)
      : [],
    /** Chunks without any stored row although they should have some. */
    absentChunks: places
      .filter((place) => place.rows > rowsIn(batch, 'dead', place) && countOf(place.id) === 0)
      .map(({ id }) => id),
    /** Whether the rows of an open part are stored although the ledger does not know it. */
    isStored(part: FragmentPart): boolean {
      const touched = places.filter((place) => overlap(place, part) > 0);
      const known = touched.reduce((sum, place) => sum + rowsIn(batch, 'stored', place), 0);
      const actual = touched.reduce((sum, { id }) => sum + countOf(id), 0);
      return actual - known >= part.rows;
    },
  };
}

interface Place extends FragmentPart {
  readonly id: string;
}

function placesOf(batch: SealedBatch): Place[] {
  let firstRow = 0;
  return batch.chunks.map(({ id, rows }) => {
    const place = { id, firstRow, rows };
    firstRow += rows;
    return place;
  });
}

function rowsIn(batch: SealedBatch, state: FragmentState, place: Place): number {
  const fragments = batch.fragments.filter((fragment) => fragment.state === state);
  return fragments.reduce((sum, fragment) => sum + overlap(place, fragment), 0);
}

/** How many rows two ranges of a batch have in common. */
export function overlap(a: FragmentPart, b: FragmentPart): number {
  const start = Math.max(a.firstRow, b.firstRow);
  return Math.max(0, Math.min(a.firstRow + a.rows, b.firstRow + b.rows) - start);
}
