import { expect, test } from 'vitest';
import { createOverloadCheck } from './overload-check.ts';

function start() {
  const round = { nowMs: 1_000, end: () => undefined as unknown };
  const watch = createOverloadCheck({
    now: () => round.nowMs,
    afterRound: (call) => {
      round.end = call;
    },
    mostMs: 100,
    fewestRequests: 3,
  });
  const ask = (count: number, isNewClient = false) =>
    Array.from({ length: count }, () => watch.isOverloaded({ isNewClient }));
  return { round, ask };
}

test('requests late in a long round are rejected, until the next round', () => {
  const { round, ask } = start();
  expect(ask(5)).toEqual([false, false, false, false, false]);
  round.nowMs += 101;
  expect(ask(2)).toEqual([true, true]);
  round.end();
  expect(ask(5)).toEqual([false, false, false, false, false]);
});

test('a round that does not end accepts requests half of the time, and none of new clients', () => {
  const { round, ask } = start();
  ask(3);
  const late = Array.from({ length: 8 }, () => {
    round.nowMs += 51;
    return [...ask(1), ...ask(1, true)];
  });
  expect(late.map(([known]) => known)).toEqual([false, true, true, false, false, true, true, false]);
  expect(late.map(([, fresh]) => fresh)).toEqual([false, true, true, true, true, true, true, true]);
});

test('new clients are rejected right after a long round, and accepted later', () => {
  const { round, ask } = start();
  ask(4);
  round.nowMs += 101;
  round.end();
  round.nowMs += 99;
  expect([...ask(1, true), ...ask(1)]).toEqual([true, false]);
  round.end();
  round.nowMs += 1;
  expect(ask(1, true)).toEqual([false]);
});

test('a long round with few requests accepts all of them', () => {
  const { round, ask } = start();
  const asked = [1, 2, 3].flatMap(() => {
    round.nowMs += 500;
    return ask(1, true);
  });
  round.end();
  expect([...asked, ...ask(1, true)]).toEqual([false, false, false, false]);
});
