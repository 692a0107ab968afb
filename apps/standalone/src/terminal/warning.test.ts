import { describe, expect, test } from 'vitest';
import { createLineScanner } from './line-scanner.ts';
import { createWarningThrottle, stderrWarningOf, warningOf } from './warning.ts';

describe('a warning', () => {
  test('is the message of a log line, with its cause', () => {
    const line =
      '{"level":"warn","time":"…","msg":"the queue is away","err":{"type":"Error","message":"refused"}}';
    expect(warningOf(line)).toEqual({ level: 'warn', text: 'the queue is away: refused' });
  });

  test('names the component that could not start', () => {
    const line =
      '{"level":"error","component":"http","err":{"message":"taken"},"msg":"component step failed"}';
    expect(warningOf(line)?.text).toBe('component step failed: http: taken');
  });

  test('is not made from lines of a lower level, also if a client wrote a level into them', () => {
    expect(warningOf('{"level":"info","msg":"request","path":"{\\"level\\":\\"error\\""}')).toBeNull();
    expect(warningOf('plain text')).toBeNull();
  });

  test('is one short line', () => {
    const warning = stderrWarningOf(`Error: ${'x '.repeat(500)}\n    at main.ts`);
    expect(warning?.text).not.toContain('\n');
    expect(warning?.text.length).toBeLessThan(310);
    expect(stderrWarningOf('  ')).toBeNull();
  });

  test('hides passwords in lines that passed no logger', () => {
    expect(stderrWarningOf('connect postgres://me:hunter2@localhost/x failed')?.text).not.toContain(
      'hunter2',
    );
  });
});

describe('a scanner of lines', () => {
  const text = [
    '{"level":"info","n":1}',
    '{"level":"warn","n":2}',
    'äöü',
    '{"level":"error","n":3}',
    '',
  ].join('\n');

  test.each([1, 2, 3, 7, 1000])('finds the marked lines, in order, in pieces of %i bytes', (size) => {
    const found: string[] = [];
    const scanner = createLineScanner(['{"level":"error"', '{"level":"warn"'], (line) => found.push(line));
    const bytes = Buffer.from(text);
    for (let at = 0; at < bytes.length; at += size) scanner(bytes.subarray(at, at + size));
    expect(found).toEqual(['{"level":"warn","n":2}', '{"level":"error","n":3}']);
  });

  test('reports a line with two marks once', () => {
    const found: string[] = [];
    createLineScanner(['aa', 'bb'], (line) => found.push(line))(Buffer.from('x bb aa bb\n'));
    expect(found).toEqual(['x bb aa bb']);
  });

  test('does not keep a line that never ends', () => {
    const found: string[] = [];
    const scanner = createLineScanner(['mark'], (line) => found.push(line));
    for (let at = 0; at < 100; at++) scanner(Buffer.alloc(2048, 'x'));
    scanner(Buffer.from('\nmark\n'));
    expect(found).toEqual(['mark']);
  });
});

describe('the throttle of warnings', () => {
  test('shows a fault once, though its numbers change, until the pause is over', () => {
    let nowMs = 0;
    const admits = createWarningThrottle(() => nowMs, 1000);
    const warning = (text: string) => ({ level: 'warn' as const, text });
    expect(admits('worker', warning('batch 0190a-1 waits'))).toBe(true);
    expect(admits('worker', warning('batch 0190b-2 waits'))).toBe(false);
    expect(admits('gateway', warning('batch 0190b-2 waits'))).toBe(true);
    expect(admits('worker', warning('another'))).toBe(true);
    nowMs = 1000;
    expect(admits('worker', warning('batch 7 waits'))).toBe(true);
  });
});
