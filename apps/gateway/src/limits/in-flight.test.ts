import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createInFlight, createInFlightBudget } from './in-flight.ts';

const kib = 1_024;
/** A whole number of KiB, including the cost of a request in addition to its body. */
const body = (kibibytes: number) => (kibibytes - 1) * kib;
const start = (limitKib: number) => createInFlight({ limitBytes: () => limitKib * kib });

test('bodies are refused beyond the limit, and accepted again when others are done', () => {
  const inFlight = start(100);
  const first = inFlight.reserve('a', body(60));
  const second = inFlight.reserve('b', body(40));
  expect([inFlight.wouldFit('c', 0), inFlight.reserve('c', 0)]).toEqual([false, null]);
  expect(inFlight.bytes()).toBe(100 * kib);
  second?.();
  second?.();
  expect(inFlight.bytes()).toBe(60 * kib);
  expect(inFlight.reserve('c', body(41))).toBeNull();
  expect(inFlight.reserve('c', body(40))).not.toBeNull();
  first?.();
  expect(inFlight.bytes()).toBe(40 * kib);
});

test('a single body of any size is accepted', () => {
  const inFlight = start(100);
  const only = inFlight.reserve('a', body(500));
  expect(only).not.toBeNull();
  expect([inFlight.reserve('a', 0), inFlight.reserve('b', 0)]).toEqual([null, null]);
  only?.();
  expect(inFlight.bytes()).toBe(0);
});

test('many small requests are bounded as well', () => {
  const inFlight = start(100);
  let taken = 0;
  while (inFlight.reserve('a', 10) !== null) taken++;
  expect(taken).toBeLessThan(100);
});

test('an event of each of 5,000 players fits at once, also before the speed is known', () => {
  const budget = createInFlightBudget(64 * kib ** 2, () => 0);
  const released = Array.from({ length: 5_000 }, () => budget.reserve('a', 300));
  expect(released.filter((release) => release === null)).toHaveLength(0);
});

test('when the limit falls below the bytes in flight, no body is accepted until enough are released', () => {
  let limitKib = 100;
  const released: number[] = [];
  const inFlight = createInFlight({
    limitBytes: () => limitKib * kib,
    onReleased: (bytes) => void released.push(bytes),
  });
  const rooms = [1, 2, 3].map(() => inFlight.reserve('a', body(20)));
  limitKib = 40;
  expect(inFlight.wouldFit('b', 0)).toBe(false);
  for (const release of rooms.slice(0, 2)) release?.();
  expect(inFlight.wouldFit('b', 0)).toBe(true);
  expect(released).toEqual([20 * kib, 20 * kib]);
});

/** How much each project gets if all want more than is available, in small steps. */
function fill(projects: readonly string[], limitKib = 9_000): number[] {
  const inFlight = start(limitKib);
  const got = projects.map(() => 0);
  for (let round = 0; round < limitKib; round++) {
    for (const [n, project] of projects.entries()) {
      if (inFlight.reserve(project, 0) !== null) got[n] = (got[n] ?? 0) + 1;
    }
  }
  return got;
}

test('one project uses nearly all, several share evenly, and space is left for one more', () => {
  expect(fill(['a'])).toEqual([7_200]);
  expect(fill(['a', 'b'])).toEqual([4_000, 4_000]);
  const four = fill(['a', 'b', 'c', 'd']);
  expect(Math.max(...four) - Math.min(...four)).toBeLessThanOrEqual(1);
  expect(four.reduce((sum, each) => sum + each, 0)).toBeLessThan(9_000);
});

test('a project that starts late gets its share as others release bytes', () => {
  const inFlight = start(1_000);
  const held: Record<string, (() => void)[]> = { a: [], b: [] };
  const tryTo = (project: string) => {
    const release = inFlight.reserve(project, body(10));
    if (release !== null) held[project]?.push(release);
    return release !== null;
  };
  while (tryTo('a'));
  expect(inFlight.bytes()).toBe(800 * kib);
  for (let n = 0; n < 200; n++) {
    held['a']?.shift()?.();
    tryTo('b');
    tryTo('a');
  }
  for (const project of ['a', 'b']) {
    expect(held[project]?.length).toBeGreaterThanOrEqual(43);
    expect(held[project]?.length).toBeLessThanOrEqual(46);
  }
});

test('the limit holds in any order of reservations and releases, and nothing stays reserved', () => {
  const step = fc.record({
    project: fc.constantFrom('a', 'b', 'c'),
    bytes: fc.integer({ min: 1, max: 60 * kib }),
    release: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
      const inFlight = start(200);
      const releases: (() => void)[] = [];
      for (const { project, bytes, release } of steps) {
        if (release) releases.shift()?.();
        const giveBack = inFlight.reserve(project, bytes);
        if (giveBack !== null) releases.push(giveBack);
        expect(inFlight.bytes()).toBeLessThanOrEqual(200 * kib);
      }
      for (const release of releases) release();
      expect(inFlight.bytes()).toBe(0);
    }),
  );
});
