import { expect, test } from 'vitest';
import { createOverloadCheck } from './overload-check.ts';

function start() {
  const turn = { nowMs: 1_000, end: () => undefined as unknown };
  const watch = createOverloadCheck({
    now: () => turn.nowMs,
    afterTurn: (call) => {
      turn.end = call;
    },
    mostMs: 100,
    fewestRequests: 3,
  });
  const ask = (count: number, isNewClient = false) =>
    Array.from({ length: count }, () => watch.isOverloaded({ isNewClient }));
  return { turn, ask };
}

test('requests are late once their turn has lasted for long, until the next turn', () => {
  const { turn, ask } = start();
  expect(ask(5)).toEqual([false, false, false, false, false]);
  turn.nowMs += 101;
  expect(ask(2)).toEqual([true, true]);
  turn.end();
  expect(ask(5)).toEqual([false, false, false, false, false]);
});

test('a turn that does not end takes requests half of the time, and none of new clients', () => {
  const { turn, ask } = start();
  ask(3);
  const late = Array.from({ length: 8 }, () => {
    turn.nowMs += 51;
    return [...ask(1), ...ask(1, true)];
  });
  expect(late.map(([known]) => known)).toEqual([false, true, true, false, false, true, true, false]);
  expect(late.map(([, fresh]) => fresh)).toEqual([false, true, true, true, true, true, true, true]);
});

test('new clients are late right after a long turn, and not for good', () => {
  const { turn, ask } = start();
  ask(4);
  turn.nowMs += 101;
  turn.end();
  turn.nowMs += 99;
  expect([...ask(1, true), ...ask(1)]).toEqual([true, false]);
  turn.end();
  turn.nowMs += 1;
  expect(ask(1, true)).toEqual([false]);
});

test('a turn with few requests takes them all, however long it lasts', () => {
  const { turn, ask } = start();
  const asked = [1, 2, 3].flatMap(() => {
    turn.nowMs += 500;
    return ask(1, true);
  });
  turn.end();
  expect([...asked, ...ask(1, true)]).toEqual([false, false, false, false]);
});
