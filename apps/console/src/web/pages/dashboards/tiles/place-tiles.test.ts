import { expect, test } from 'vitest';
import {
  closeGaps,
  dragTile,
  fillHeight,
  type Place,
  placeTiles,
  resizeTile,
  stepTile,
} from './place-tiles.ts';

const place = (x: number, y: number, width = 6, height = 4): Place => ({ x, y, width, height });
const two = [place(0, 0), place(0, 4)];

test('tiles without a place fill rows from the left', () => {
  const tiles = Array.from({ length: 3 }, () => ({ title: '', chart: 'line', columns: 6 }) as const);
  expect(placeTiles(tiles)).toEqual([place(0, 0, 6, 7), place(6, 0, 6, 7), place(0, 7, 6, 7)]);
});

test('a chart is as high as the one beside it, but not as a number', () => {
  const tile = (chart: 'funnel' | 'number' | 'table') => ({ title: '', chart, columns: 6 }) as const;
  expect(placeTiles([tile('funnel'), tile('table')])).toEqual([place(0, 0, 6, 8), place(6, 0, 6, 8)]);
  expect(placeTiles([tile('number'), tile('table')])).toEqual([place(0, 0, 6, 3), place(6, 0, 6, 7)]);
});

test('a place is kept, and one that leaves the grid is not', () => {
  const tile = { title: '', chart: 'line' } as const;
  expect(placeTiles([{ ...tile, position: place(6, 2) }])).toEqual([place(6, 2)]);
  expect(placeTiles([{ ...tile, position: place(11, 2) }])).toEqual([place(0, 0, 6, 7)]);
});

test('a step down swaps a tile with the one below, a step up swaps back', () => {
  const swapped = [place(0, 4), place(0, 0)];
  expect(stepTile(two, 0, 'down')).toEqual(swapped);
  expect(stepTile(swapped, 0, 'up')).toEqual(two);
});

test('a step to the side stays in the grid, and pushes what is there down', () => {
  const row = [place(0, 0), place(6, 0)];
  expect(stepTile(row, 0, 'left')).toEqual(row);
  expect(stepTile(row, 0, 'right')).toEqual([place(1, 0), place(6, 4)]);
});

test('the mouse moves a tile past another at its middle', () => {
  expect(dragTile(two, 0, { x: 0, y: 1 })).toEqual(two);
  expect(dragTile(two, 0, { x: 0, y: 4.5 })).toEqual([place(0, 4), place(0, 0)]);
  expect(dragTile(two, 1, { x: 6.4, y: 0 })).toEqual([place(0, 0), place(6, 0)]);
});

test('a larger tile pushes those below it, within the limits of the grid', () => {
  expect(resizeTile(two, 0, { width: 40, height: 6 })).toEqual([place(0, 0, 12, 6), place(0, 6)]);
  expect(resizeTile(two, 0, { width: 0, height: 0 })).toEqual([place(0, 0, 2, 2), place(0, 2)]);
});

test('tiles close the gap of one that is gone', () => {
  expect(closeGaps([place(0, 9), place(6, 3)])).toEqual([place(0, 0), place(6, 0)]);
});

test('rows grow until the tiles fill a height, within a limit, and never shrink', () => {
  const places = [place(0, 0, 6, 7), place(6, 0, 6, 7), place(0, 7, 12, 3)];
  // Ten rows and nine gaps of 12 pixels.
  expect(fillHeight(places, 10 * 60 + 9 * 12)).toBe(60);
  expect(fillHeight(places, 10 * 60 + 9 * 12 - 1)).toBe(59);
  expect(fillHeight(places, 300)).toBe(36);
  expect(fillHeight([place(0, 0, 12, 3)], 2_000)).toBe(140);
  expect(fillHeight([], 1_000)).toBe(140);
});
