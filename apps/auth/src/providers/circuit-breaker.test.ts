import { createManualClock } from '@tickrate/testkit';
import { describe, expect, it } from 'vitest';
import { createCircuitBreaker } from './circuit-breaker.ts';

function start() {
  const clock = createManualClock();
  const breaker = createCircuitBreaker(clock.now);
  const fail = (times: number) => {
    for (let time = 0; time < times; time += 1) breaker.failed('a');
  };
  return { clock, breaker, fail };
}

describe('the circuit breaker', () => {
  it('opens after five failures in a row, for that endpoint alone', () => {
    const { breaker, fail } = start();
    fail(4);
    expect(breaker.waitMs('a')).toBe(0);
    fail(1);
    expect(breaker.waitMs('a')).toBe(5_000);
    expect(breaker.waitMs('b')).toBe(0);
  });

  it('forgets failures at a success', () => {
    const { breaker, fail } = start();
    fail(4);
    breaker.succeeded('a');
    fail(4);
    expect(breaker.waitMs('a')).toBe(0);
  });

  it('allows one call to try, and closes when that succeeds', () => {
    const { breaker, clock, fail } = start();
    fail(5);
    clock.advance(5_000);
    expect(breaker.waitMs('a')).toBe(0);
    expect(breaker.waitMs('a')).toBeGreaterThan(0);
    breaker.succeeded('a');
    expect(breaker.waitMs('a')).toBe(0);
    expect(breaker.waitMs('a')).toBe(0);
  });

  it('waits twice as long after each trial that failed, and never more than a minute', () => {
    const { breaker, clock, fail } = start();
    fail(5);
    const waits: number[] = [];
    for (let trial = 0; trial < 6; trial += 1) {
      waits.push(breaker.waitMs('a'));
      clock.advance(waits.at(-1) ?? 0);
      expect(breaker.waitMs('a')).toBe(0);
      fail(1);
    }
    expect(waits).toEqual([5_000, 10_000, 20_000, 40_000, 60_000, 60_000]);
  });

  it('does not wait longer because many calls were under way when it opened', () => {
    const { breaker, fail } = start();
    fail(100);
    expect(breaker.waitMs('a')).toBe(5_000);
  });

  it('tries again when a trial was never reported', () => {
    const { breaker, clock, fail } = start();
    fail(5);
    clock.advance(5_000);
    expect(breaker.waitMs('a')).toBe(0);
    clock.advance(10_000);
    expect(breaker.waitMs('a')).toBe(0);
  });
});
