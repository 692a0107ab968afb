import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Cut, cutFragment } from './cut-fragment.ts';
import type { RowTable } from './row-table.ts';

const allReadable: RowTable = { chunks: [] };

const chunk = {
  id: 'c',
  projectId: 'p',
  count: 1,
  idempotency: [],
  frame: new Uint8Array(1),
  producer: 'g',
  position: { start: 0, settled: 0, voids: [] },
};

function readableTable(
  places: readonly { readonly firstRow: number; readonly rows: number; readonly projectId: string }[],
): RowTable {
  const readable = { bytes: Buffer.alloc(0), starts: [], types: [] };
  return {
    chunks: places.map(({ projectId, ...place }) => ({ ...place, chunk: { ...chunk, projectId }, readable })),
  };
}

function tableOf(unreadable: readonly { firstRow: number; rows: number }[]): RowTable {
  return { chunks: unreadable.map((place) => ({ ...place, chunk, readable: null })) };
}

function parts(cut: Cut) {
  return cut.kind === 'split' ? cut.parts.map((part) => [part.firstRow, part.rows]) : cut.reason;
}

describe('a refused part', () => {
  const part = { firstRow: 10, rows: 9 };

  test('is cut in half when ClickHouse names no row', () => {
    expect(parts(cutFragment(allReadable, part, { refusedRow: null, mode: 'named' }))).toEqual([
      [10, 5],
      [15, 4],
    ]);
  });

  test('is cut so that the row that ClickHouse names is tried alone', () => {
    expect(parts(cutFragment(allReadable, part, { refusedRow: 3, mode: 'named' }))).toEqual([
      [10, 3],
      [13, 1],
      [14, 5],
    ]);
    expect(parts(cutFragment(allReadable, part, { refusedRow: 0, mode: 'named' }))).toEqual([
      [10, 1],
      [11, 8],
    ]);
  });

  test('is buried when it is one row, and whole where its project has none to store', () => {
    const single = { firstRow: 4, rows: 1 };
    expect(parts(cutFragment(allReadable, single, { refusedRow: 0, mode: 'named' }))).toBe('refusedRow');
    expect(parts(cutFragment(allReadable, part, { refusedRow: 3, mode: 'projects' }))).toBe('refusedRows');
  });

  test('is cut in half while it is large if there are many refused rows', () => {
    const large = { firstRow: 0, rows: 1_000 };
    expect(parts(cutFragment(allReadable, large, { refusedRow: 3, mode: 'halves' }))).toEqual([
      [0, 500],
      [500, 500],
    ]);
    expect(parts(cutFragment(allReadable, part, { refusedRow: 3, mode: 'halves' }))).toHaveLength(3);
  });

  test('is still cut where another project begins after single rows are no longer tried', () => {
    const places = [
      { firstRow: 0, rows: 12, projectId: 'a' },
      { firstRow: 12, rows: 2, projectId: 'b' },
      { firstRow: 14, rows: 9, projectId: 'b' },
    ];
    const table = readableTable(places);
    const cut = (some: typeof part) => parts(cutFragment(table, some, { refusedRow: 3, mode: 'projects' }));
    expect(cut(part)).toEqual([
      [10, 2],
      [12, 7],
    ]);
    expect(cut({ firstRow: 12, rows: 7 })).toBe('refusedRows');
  });

  test('has chunks that cannot be read cut out before anything else', () => {
    const table = tableOf([{ firstRow: 12, rows: 3 }]);
    expect(parts(cutFragment(table, part, { refusedRow: 1, mode: 'projects' }))).toEqual([
      [10, 2],
      [12, 3],
      [15, 4],
    ]);
    const exactly = { firstRow: 12, rows: 3 };
    expect(parts(cutFragment(table, exactly, { refusedRow: null, mode: 'named' }))).toBe('unreadableChunk');
  });
});

test('cuts always cover the part without gap or overlap and get smaller, for any row that ClickHouse names', () => {
  fc.assert(
    fc.property(
      fc.record({ firstRow: fc.nat(1_000), rows: fc.integer({ min: 2, max: 500 }) }),
      fc.option(fc.integer({ min: -5, max: 600 })),
      fc.option(fc.record({ firstRow: fc.nat(1_500), rows: fc.integer({ min: 1, max: 300 }) })),
      (part, refusedRow, bad) => {
        const cut = cutFragment(tableOf(bad === null ? [] : [bad]), part, { refusedRow, mode: 'named' });
        if (cut.kind === 'bury') {
          expect(cut.reason).toBe('unreadableChunk');
          return;
        }
        expect(cut.parts.length).toBeGreaterThan(1);
        let at = part.firstRow;
        for (const { firstRow, rows } of cut.parts) {
          expect([firstRow, rows > 0]).toEqual([at, true]);
          at += rows;
        }
        expect(at).toBe(part.firstRow + part.rows);
      },
    ),
  );
});
