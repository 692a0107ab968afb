import { describe, expect, test } from 'vitest';
import { type Bench, missedTargets } from './bench.ts';
import { chooseBenches } from './choose-benches.ts';
import { createOpened } from './opened.ts';
import { runBenches } from './run-benches.ts';

const bench = (name: string, more: Partial<Bench> = {}): Bench => ({
  name,
  unit: 'ms',
  against: 'nothing',
  target: 1,
  better: 'lower',
  run: async () => [{ value: 1, limit: 2 }],
  ...more,
});
const benches = [
  bench('queue.bytes.redis', { needs: 'redis' }),
  bench('queue.bytes.postgres'),
  bench('start'),
];
const namesOf = (chosen: readonly Bench[]) => chosen.map(({ name }) => name);

describe('benches', () => {
  test('are chosen by name or by group, and all of them without a name', () => {
    const choose = (...names: string[]) => chooseBenches(benches, { names, missing: [] });
    expect(namesOf(choose().chosen)).toEqual(namesOf(benches));
    expect(namesOf(choose('start').chosen)).toEqual(['start']);
    expect(namesOf(choose('queue.bytes').chosen)).toEqual(['queue.bytes.redis', 'queue.bytes.postgres']);
    expect(namesOf(choose('start', 'queue').chosen)).toEqual(namesOf(benches));
    expect(choose('queue.by', 'sta').unknown).toEqual(['queue.by', 'sta']);
  });

  test('that need Redis are left out without one, in one line', () => {
    const { chosen, leftOut } = chooseBenches(benches, { names: [], missing: ['redis'] });
    expect(namesOf(chosen)).toEqual(['queue.bytes.postgres', 'start']);
    expect(leftOut).toEqual(['Left out (no redis-server or valkey-server on the PATH): queue.bytes.redis']);
    expect(chooseBenches(benches, { names: ['start'], missing: ['redis'] }).leftOut).toEqual([]);
  });

  test('that miss their target are named, with both figures', () => {
    const result = { name: 'queue.bytes', value: 107, unit: 'bytes', limit: 290, ratio: 0.37, target: 0.3 };
    const small = bench('queue.bytes');
    expect(missedTargets([small], [result])).toEqual(['Missed: queue.bytes has 0.37, its target is ≤ 0.3']);
    expect(missedTargets([small], [{ ...result, ratio: 0.3 }])).toEqual([]);
    const fast = bench('queue.bytes', { better: 'higher' });
    expect(missedTargets([fast], [result])).toEqual([]);
    expect(missedTargets([fast], [{ ...result, ratio: 0.29 }])).toEqual([
      'Missed: queue.bytes has 0.29, its target is ≥ 0.3',
    ]);
    expect(missedTargets([fast], [{ ...result, ratio: Number.NaN }])).toHaveLength(1);
  });

  test('end what they started when they fail, and stop no other', async () => {
    let isClosed = false;
    const failing = bench('failing', {
      async run() {
        createOpened().add(async () => {
          isClosed = true;
        });
        throw new Error('no room');
      },
    });
    const reported: string[] = [];
    const isWell = await runBenches([failing, bench('start')], {
      note: () => undefined,
      result: ({ name, ratio }) => reported.push(`${name} ${ratio}`),
      fault: ({ name }, fault) => reported.push(`${name}: ${fault instanceof Error && fault.message}`),
    });
    expect([isWell, isClosed, reported]).toEqual([false, true, ['failing: no room', 'start 0.5']]);
  });
});
