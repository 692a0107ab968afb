import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { waitUntil } from '@tickrate/testkit';
import { afterAll, expect, test } from 'vitest';
import { LineSink } from './line-sink.ts';

const folder = mkdtempSync(join(tmpdir(), 'line-sink-'));
afterAll(() => rmSync(folder, { recursive: true }));
const sinkUrl = JSON.stringify(new URL('./line-sink.ts', import.meta.url).href);

test('a line is written soon by itself', async () => {
  const path = join(folder, 'soon');
  const sink = new LineSink({ fd: openSync(path, 'w'), flushMs: 5 });
  sink.write('one\n');
  sink.write('zwei: ä\n');
  await waitUntil(() => readFileSync(path, 'utf8') === 'one\nzwei: ä\n');
});

test('a sink listens for the end of the process only while it holds lines', () => {
  const before = process.listenerCount('exit');
  const sink = new LineSink({ fd: openSync(join(folder, 'end'), 'w'), flushMs: 60_000 });
  expect(process.listenerCount('exit')).toBe(before);
  sink.write('one\n');
  sink.write('two\n');
  expect(process.listenerCount('exit')).toBe(before + 1);
  sink.flush();
  expect(process.listenerCount('exit')).toBe(before);
});

test('much is written at once, in order', () => {
  const path = join(folder, 'much');
  const sink = new LineSink({ fd: openSync(path, 'w'), flushMs: 60_000, flushBytes: 1000 });
  const lines = Array.from({ length: 1000 }, (_, at) => `line ${at}\n`);
  for (const line of lines) sink.write(line);
  sink.flush();
  expect(readFileSync(path, 'utf8')).toBe(lines.join(''));
});

test('lines for a slow reader are kept up to a limit, and dropped lines are reported', async () => {
  // The child's standard output is a pipe that does not block and that nobody reads for a while.
  const code = `import { LineSink } from ${sinkUrl};
    process.stdout.write('');
    const sink = new LineSink({ fd: 1, flushBytes: 1000, heldBytes: 100_000 });
    for (let at = 0; at < 50_000; at++) sink.write('line ' + at + '\\n');
    process.stderr.write('written');
    process.on('message', () => { sink.write('last\\n'); process.exit(0); });`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', code], {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  await once(child.stderr ?? child, 'data');
  let output = '';
  child.stdout?.on('data', (chunk) => {
    output += chunk;
  });
  await waitUntil(() => output.includes('log lines dropped'));
  child.send('end');
  await once(child, 'close');
  const lines = output.trimEnd().split('\n');
  const dropped = JSON.parse(lines.find((line) => line.startsWith('{')) ?? '{}').dropped;
  const kept = lines.filter((line) => line.startsWith('line ')).map((line) => Number(line.slice(5)));
  expect(kept).toEqual(Array.from(kept, (_, at) => at));
  expect(kept.length + dropped).toBe(50_000);
  expect(lines.at(-1)).toBe('last');
});

test('a closed reader only ends the writing', async () => {
  const code = `import { LineSink } from ${sinkUrl};
    const sink = new LineSink({ fd: 1, flushMs: 1 });
    process.on('message', () => { sink.write('into nothing\\n'); sink.flush(); sink.write('more\\n'); sink.flush(); process.stderr.write('alive'); process.exit(7); });
    process.stderr.write('up');`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', code], {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  await once(child.stderr ?? child, 'data');
  child.stdout?.destroy();
  child.send('go');
  const [exitCode] = await once(child, 'close');
  expect(exitCode).toBe(7);
});
