import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePorts, startStandalone } from '../tests/standalone-run.ts';
import { type Bench, takeRounds } from './bench.ts';

const rounds = 3;
const promisedSeconds = 10;

export const start: Bench = {
  name: 'start',
  unit: 's',
  against: 'the promised 10 s',
  target: 1,
  better: 'lower',
  run: (report) =>
    takeRounds(rounds, async (round) => {
      const folder = await mkdtemp(join(tmpdir(), 'tickrate-bench-start-'));
      const first = await secondsUntilReady(folder);
      const second = await secondsUntilReady(folder);
      await rm(folder, { recursive: true, force: true });
      report(`round ${round}: ${first.toFixed(1)} s on an empty folder, ${second.toFixed(1)} s again`);
      return { value: first, limit: promisedSeconds };
    }),
};

async function secondsUntilReady(folder: string): Promise<number> {
  const port = await findFreePorts();
  const started = performance.now();
  const run = startStandalone(folder, '--port', String(port));
  await run.ready();
  const seconds = (performance.now() - started) / 1_000;
  const ended = once(run.process, 'close');
  run.process.kill('SIGINT');
  await ended;
  return seconds;
}
