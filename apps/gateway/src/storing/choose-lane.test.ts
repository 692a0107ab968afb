import { createManualClock } from '@tickrate/testkit';
import { expect, test } from 'vitest';
import { createLaneChooser } from './choose-lane.ts';

const kib = 1024;

function start() {
  const clock = createManualClock(0);
  const chooser = createLaneChooser({ expressBytes: 100 * kib, now: clock.now });
  /**
   * Sends this many bytes per second for each project, in ten chunks per second; returns the lanes of the last chunks.
   */
  function run(seconds: number, rates: Readonly<Record<string, number>>) {
    const taken: Record<string, string> = {};
    for (let n = 0; n < seconds * 10; n++) {
      clock.advance(100);
      for (const [project, rate] of Object.entries(rates))
        taken[project] = chooser.choose(project, rate / 10);
    }
    return taken;
  }
  return { chooser, clock, run };
}

test('a project that sends little uses the express lane, and a flooding one does not, also when alone', () => {
  const { run } = start();
  expect(run(10, { a: 90 * kib, b: kib })).toEqual({ a: 'express', b: 'express' });
  expect(run(10, { a: 9_000 * kib, b: kib })).toEqual({ a: 'bulk', b: 'express' });
  expect(run(10, { a: 9_000 * kib })).toEqual({ a: 'bulk' });
});

test('beside a flood a project that sends a fraction of it uses the express lane, and several flooding ones do not', () => {
  const { run } = start();
  expect(run(10, { a: 9_000 * kib, b: 2_000 * kib, c: 9_000 * kib, d: 50 * kib })).toEqual({
    a: 'bulk',
    b: 'express',
    c: 'bulk',
    d: 'express',
  });
  expect(run(20, { b: 2_000 * kib })).toEqual({ b: 'bulk' });
});

test('a flood is recognised by its bytes, not by its duration, and forgotten within seconds', () => {
  const { chooser, clock } = start();
  expect(chooser.choose('a', 150 * kib)).toBe('express');
  expect(chooser.choose('a', 150 * kib)).toBe('bulk');
  expect(chooser.of('a')).toBe('bulk');
  expect(chooser.of('b')).toBe('express');
  clock.advance(5_000);
  expect(chooser.of('a')).toBe('express');
  expect(chooser.choose('a', kib)).toBe('express');
});
