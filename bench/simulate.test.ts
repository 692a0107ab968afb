import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { costs, parts } from './event-costs.ts';
import { firstFull, partNames, simulate, sizesFor, utilisationOf } from './simulate.ts';
import { simulationReport } from './simulation-report.ts';

const rate = 1_000_000;
const sizes = sizesFor(rate);

describe('the simulation', () => {
  test('sizes every part for at most 60 % use, with one process fewer being too few', () => {
    for (const part of ['gateway', 'queue', 'worker', 'clickhouse'] as const) {
      expect(utilisationOf(part, { rate, count: sizes[part] })).toBeLessThanOrEqual(0.6);
      expect(utilisationOf(part, { rate, count: sizes[part] - 1 })).toBeGreaterThan(0.6);
    }
    expect(sizesFor(1)).toEqual({ gateway: 2, queue: 1, worker: 2, ledger: 1, clickhouse: 1 });
  });

  test.each(partNames)('finds that %s saturates first, and at which rate', (part) => {
    const plenty = { gateway: 999, queue: 999, worker: 999, ledger: 999, clickhouse: 999 };
    expect(firstFull(rate, { ...plenty, [part]: 1 })).toEqual({
      part,
      full: expect.closeTo((parts[part].cores * 1e6) / parts[part].us, 3),
    });
  });

  test.each([10_000, 100_000, 1_000_000])("keeps Little's law at %i events/s", (each) => {
    const { depth, delayMs } = simulate(each, sizesFor(each), 'none');
    const expected = (each * delayMs.mean) / 1_000;
    expect(Math.abs(depth.mean - expected) / expected).toBeLessThan(0.03);
  });

  test.each(['gateway', 'queue', 'worker', 'clickhouse'] as const)(
    'is never ordinary again with too few of %s',
    (part) => {
      const few = { ...sizes, [part]: 1 };
      expect(utilisationOf(part, { rate, count: 1 })).toBeGreaterThan(1);
      const { depth, backAfterMs } = simulate(rate, few, 'none');
      expect(backAfterMs).toBeNull();
      // The rest of each second stays.
      const missing = rate * (1 - 1 / utilisationOf(part, { rate, count: 1 }));
      expect(depth.most).toBeGreaterThan(0.8 * missing * 90);
    },
  );

  test('stores what a lost worker held after its lock, and what a lost shard held once it is back', () => {
    const worker = simulate(rate, sizes, 'worker');
    expect(worker.delayMs.most).toBeGreaterThan(25_000);
    expect(worker.delayMs.most).toBeLessThan(28_000);
    expect(worker.backAfterMs).not.toBeNull();
    expect(simulate(rate, sizes, 'shard').backAfterMs).not.toBeNull();
  });

  test('reports a table, and refuses a rate that is no number', () => {
    expect(simulationReport(['--rate', '1000', '--worker', '3'])).toMatch(/^worker +3 +1 +\d+ %$/m);
    expect(() => simulationReport(['--rate', 'x'])).toThrow(
      "Invalid --rate: expected an integer from 1, got 'x'",
    );
  });

  test('uses the costs that docs/scale.md quotes', () => {
    const page = readFileSync(join(import.meta.dirname, '../docs/scale.md'), 'utf8');
    const rows = Object.values(costs).map(({ what, value, unit }) => `| ${what} | ${value} ${unit} |`);
    expect(rows.filter((row) => !page.includes(row))).toEqual([]);
  });
});
