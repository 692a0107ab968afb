import { expect, test } from 'vitest';
import { terminalLine } from './logger.ts';

test('a log line is shown with its time, level, message and facts, and an error with its stack and causes', () => {
  const line = JSON.stringify({
    level: 'error',
    time: '2026-01-02T03:04:05.678Z',
    name: 'gateway',
    requestId: 'r',
    count: 3,
    err: { type: 'Error', message: 'outer', stack: 'Error: outer\n    at x', cause: { message: 'inner' } },
    msg: 'failed',
  });
  expect(terminalLine(`${line}\n`)).toBe(
    '03:04:05.678 \u001b[31merror\u001b[0m failed requestId=r count=3\nError: outer\n    at x\ncaused by inner\n',
  );
});

test('a line that is not a log line is shown as it is', () => {
  for (const text of ['plain text\n', '{"a":1}\n', '']) expect(terminalLine(text)).toBe(text);
});
