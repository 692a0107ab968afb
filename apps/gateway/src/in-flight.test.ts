import { expect, test } from 'vitest';
import { createInFlight } from './in-flight.ts';

test('bodies are refused beyond the bound, and taken again when others are done', () => {
  const inFlight = createInFlight(100);
  const first = inFlight.reserve(60);
  const second = inFlight.reserve(40);
  expect(inFlight.reserve(1)).toBeNull();
  expect(inFlight.bytes()).toBe(100);
  second?.release();
  second?.release();
  expect(inFlight.bytes()).toBe(60);
  expect(inFlight.reserve(41)).toBeNull();
  expect(inFlight.reserve(40)).not.toBeNull();
  first?.release();
  expect(inFlight.bytes()).toBe(40);
});

test('a single body is taken however large it is, also when it turns out to be', () => {
  const inFlight = createInFlight(100);
  const only = inFlight.reserve(5);
  expect(only?.growTo(500)).toBe(true);
  expect(inFlight.reserve(1)).toBeNull();
  only?.release();
  expect(inFlight.bytes()).toBe(0);
});

test('a body that turns out larger than announced is refused when others hold the room', () => {
  const inFlight = createInFlight(100);
  inFlight.reserve(50);
  const grows = inFlight.reserve(10);
  expect(grows?.growTo(5)).toBe(true);
  expect(grows?.growTo(50)).toBe(true);
  expect(grows?.growTo(51)).toBe(false);
  expect(inFlight.bytes()).toBe(100);
  grows?.release();
  expect(inFlight.bytes()).toBe(50);
});
