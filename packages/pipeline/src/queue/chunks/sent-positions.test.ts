import { expect, test } from 'vitest';
import { createSentPositions, mostVoids } from './sent-positions.ts';

const project = 'p-0123456789ab';

/** Sends chunks of one event. */
function start() {
  const positions = createSentPositions();
  return {
    positions,
    begin: () => positions.begin(project, 1),
    settle: (first: number, confirmed: boolean) =>
      positions.settle(project, { start: first, rows: 1 }, confirmed),
  };
}

test('the settled positions end before the first chunk in flight', () => {
  const { begin, settle } = start();
  expect([begin(), begin(), begin()].map(({ start: first }) => first)).toEqual([0, 1, 2]);
  settle(2, true);
  settle(1, true);
  expect(begin()).toEqual({ start: 3, settled: 0, voids: [] });
  settle(0, true);
  expect(begin()).toEqual({ start: 4, settled: 3, voids: [] });
});

test('a chunk contains the failed positions, neighbours merged, until the ledger has them', () => {
  const { positions, begin, settle } = start();
  for (const confirmed of [true, false, false, true, false]) settle(begin().start, confirmed);
  const voids = [
    [1, 3],
    [4, 5],
  ];
  expect(begin()).toEqual({ start: 5, settled: 5, voids });
  const positionsSent = positions.unreported();
  settle(5, false);
  positions.reported(positionsSent);
  expect(begin()).toEqual({ start: 6, settled: 6, voids: [[4, 6]] });
  positions.reported(positions.unreported());
  expect(begin()).toEqual({ start: 7, settled: 6, voids: [] });
  expect(positions.unreported()).toEqual(new Map());
});

test('more failures than fit into a chunk wait for a report', () => {
  const { positions, begin, settle } = start();
  for (let sent = 0; sent < 2 * mostVoids + 4; sent += 1) settle(begin().start, sent % 2 === 0);
  expect(begin()).toMatchObject({ settled: 2 * mostVoids + 1 });
  positions.reported(positions.unreported());
  expect(positions.unreported().get(project)).toEqual({
    settled: 2 * mostVoids + 4,
    voids: [
      [2 * mostVoids + 1, 2 * mostVoids + 2],
      [2 * mostVoids + 3, 2 * mostVoids + 4],
    ],
  });
});

test('each project is counted separately', () => {
  const { positions, begin } = start();
  begin();
  expect(positions.begin('p-ba9876543210', 4)).toEqual({ start: 0, settled: 0, voids: [] });
});
