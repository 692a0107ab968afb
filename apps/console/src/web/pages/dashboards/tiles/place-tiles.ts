import type { Tile } from '../use-dashboards.ts';

/** Where a tile is, on a grid of twelve columns. */
export interface Place {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export const gridColumns = 12;
const leastWidth = 2;
const leastHeight = 2;
const mostHeight = 50;

const heights: Readonly<Record<Tile['chart'], number>> = {
  number: 3,
  funnel: 8,
  retention: 8,
  line: 7,
  bar: 7,
  table: 7,
};

/** The place of each tile. One without a place gets the first free one that is wide enough. */
export function placeTiles(tiles: readonly Tile[]): Place[] {
  const places: Place[] = [];
  for (const { position, columns, chart } of tiles) {
    const size = { width: columns ?? 6, height: heights[chart] };
    places.push(isInGrid(position) ? position : asHighAsBeside(places, firstFree(places, size)));
  }
  return places;
}

/** Two charts in a row end on one line, if there is room. */
function asHighAsBeside(taken: readonly Place[], place: Place): Place {
  const beside = taken.find(({ x, y, width }) => y === place.y && x + width === place.x);
  if (beside === undefined || [beside.height, place.height].includes(heights.number)) return place;
  const aligned = { ...place, height: beside.height };
  return taken.some((each) => overlap(each, aligned)) ? place : aligned;
}

function isInGrid(place: Place | undefined): place is Place {
  return place !== undefined && place.x + place.width <= gridColumns;
}

function firstFree(taken: readonly Place[], { width, height }: Pick<Place, 'width' | 'height'>): Place {
  for (let y = 0; ; y += 1) {
    for (let x = 0; x + width <= gridColumns; x += 1) {
      const place = { x, y, width, height };
      if (!taken.some((each) => overlap(each, place))) return place;
    }
  }
}

function overlap(a: Place, b: Place): boolean {
  return isBeside(a, b) && a.y < b.y + b.height && b.y < a.y + a.height;
}

/** Whether they share a column. */
function isBeside(a: Place, b: Place): boolean {
  return a.x < b.x + b.width && b.x < a.x + a.width;
}

export const rowHeight = 36;
export const gap = 12;
/** Beyond it, a tile with one number would be a poster. Seven rows, the height of a chart, fill a screen of 1080 lines. */
const mostRowHeight = 140;

/** The height of a row with which the tiles fill this height, if they are lower than it. */
export function fillHeight(places: readonly Place[], availablePx: number): number {
  const rows = Math.max(1, ...places.map(({ y, height }) => y + height));
  return Math.max(rowHeight, Math.min(mostRowHeight, Math.floor((availablePx + gap) / rows - gap)));
}

export type Step = 'left' | 'right' | 'up' | 'down';

/** Moves a tile by one column, or past the next tile above or below. */
export function stepTile(places: readonly Place[], index: number, step: Step): Place[] {
  const place = places[index];
  if (place === undefined) return [...places];
  if (step === 'left' || step === 'right') {
    const x = place.x + (step === 'left' ? -1 : 1);
    return dragTile(places, index, { x, y: place.y });
  }
  const others = places.filter((each, at) => at !== index && isBeside(each, place));
  if (step === 'up') {
    const above = others.filter(({ y }) => y < place.y).toSorted((a, b) => b.y - a.y)[0];
    return above === undefined ? [...places] : settle(places, index, above.y);
  }
  const below = others.filter(({ y }) => y > place.y).toSorted((a, b) => a.y - b.y)[0];
  return below === undefined ? [...places] : settle(places, index, below.y + below.height);
}

/** Moves a tile to a column, with its top at a row, which may be a fraction while the mouse moves it. */
export function dragTile(places: readonly Place[], index: number, to: { x: number; y: number }): Place[] {
  const place = places[index];
  if (place === undefined) return [...places];
  const x = Math.max(0, Math.min(gridColumns - place.width, Math.round(to.x)));
  const key = to.y > place.y ? to.y + place.height / 2 : to.y;
  return settle(places.with(index, { ...place, x }), index, key);
}

export function resizeTile(
  places: readonly Place[],
  index: number,
  size: { width: number; height: number },
): Place[] {
  const place = places[index];
  if (place === undefined) return [...places];
  const width = Math.max(leastWidth, Math.min(gridColumns - place.x, Math.round(size.width)));
  const height = Math.max(leastHeight, Math.min(mostHeight, Math.round(size.height)));
  return settle(places.with(index, { ...place, width, height }), index, place.y);
}

/** Without gaps after a tile is gone. */
export function closeGaps(places: readonly Place[]): Place[] {
  return dropped(places, readingOrder(places));
}

/** The tiles from left to right, and from top to bottom. */
export function readingOrder(places: readonly Place[]): number[] {
  const rank = (index: number) => {
    const { x, y } = places[index] ?? { x: 0, y: 0 };
    return y * gridColumns + x;
  };
  return places.map((_, index) => index).toSorted((a, b) => rank(a) - rank(b));
}

/** Puts one tile before those whose middle is below `key`; then every tile moves up as far as it can. */
function settle(places: readonly Place[], index: number, key: number): Place[] {
  const moved = places[index];
  const others = readingOrder(places).filter((at) => at !== index);
  const before = others.findIndex((at) => {
    const other = places[at];
    if (moved === undefined || other === undefined) return false;
    return isBeside(other, moved) && other.y + other.height / 2 > key;
  });
  return dropped(places, others.toSpliced(before === -1 ? others.length : before, 0, index));
}

function dropped(places: readonly Place[], order: readonly number[]): Place[] {
  const done: Place[] = [];
  const result = [...places];
  for (const index of order) {
    const place = places[index];
    if (place === undefined) continue;
    const y = Math.max(
      0,
      ...done.filter((each) => isBeside(each, place)).map((each) => each.y + each.height),
    );
    const settled = { ...place, y };
    done.push(settled);
    result[index] = settled;
  }
  return result;
}
