import { expect, onTestFinished, test, vi } from 'vitest';
import type { Connection, Engine, QueryOutcome } from '../engine/engine.ts';
import { createRunning } from './running.ts';

/** An engine whose answers the test releases. */
function slowEngine() {
  const asked: { sql: string; answer: () => void }[] = [];
  const connection: Connection = {
    query: (sql) =>
      new Promise<QueryOutcome>((resolve) => {
        const outcome = { bytes: new Uint8Array(), rowsRead: 0, bytesRead: 0, elapsed: 0 };
        asked.push({ sql, answer: () => resolve(outcome) });
      }),
    write: () => Promise.reject(new Error('nothing is written')),
    close: () => Promise.resolve(),
  };
  const engine: Engine = { version: '', timezone: '', connect: () => connection, close: () => undefined };
  return { engine, asked };
}

test('a busy engine receives one KILL at a time for each query', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const { engine, asked } = slowEngine();
  const running = createRunning(engine);
  const slow = await running.begin('slow', 'SELECT 1');
  const other = await running.begin('other', 'SELECT 2');
  slow.cancel();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(asked.map(({ sql }) => sql)).toEqual([expect.stringContaining("= 'slow'")]);
  other.cancel();
  expect(asked).toHaveLength(2);
  asked[0]?.answer();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(asked.map(({ sql }) => /= '(\w+)'/.exec(sql)?.[1])).toEqual(['slow', 'other', 'slow']);
  slow.done();
  other.done();
});
