import { stripVTControlCharacters } from 'node:util';
import { describe, expect, test } from 'vitest';
import { createTerminal } from './terminal.ts';

function openTerminal(isTTY: boolean, plain = false) {
  const written: string[] = [];
  let nowMs = 0;
  const terminal = createTerminal({
    stream: { isTTY, columns: 40, write: (text: string) => written.push(text) },
    plain,
    now: () => nowMs,
  });
  return {
    terminal,
    text: () => written.join(''),
    pass: (ms: number) => {
      nowMs += ms;
    },
  };
}

describe('a terminal', () => {
  test.each([
    ['a pipe', false, false],
    ['a terminal with NO_COLOR', true, true],
  ])('that is %s receives one plain line for each step', (_name, isTTY, plain) => {
    const { terminal, text, pass } = openTerminal(isTTY, plain);
    const one = terminal.begin('PostgreSQL');
    const other = terminal.begin('ClickHouse');
    pass(1_240);
    other.done('http://127.0.0.1:8083');
    one.failed();
    terminal.close();
    expect(text()).toBe(' ✓ ClickHouse                1.2 s  http://127.0.0.1:8083\n ✗ PostgreSQL\n');
  });

  test('that is interrupted calls no step failed', () => {
    const { terminal, text } = openTerminal(false);
    const step = terminal.begin('PostgreSQL');
    terminal.interrupt();
    terminal.say('Stopping …');
    step.failed();
    terminal.begin('Worker').failed();
    expect(text()).toBe('Stopping …\n ✗ Worker\n');
  });

  test('shows the current step below the lines, and removes it at the end', () => {
    const { terminal, text } = openTerminal(true);
    const one = terminal.begin('PostgreSQL');
    const other = terminal.begin('ClickHouse with a name that is longer than the line');
    expect(text()).toContain('PostgreSQL, ClickHouse');
    one.done();
    terminal.say('something else');
    other.done();
    expect(shownBy(text())).toEqual([
      ' ✓ PostgreSQL                0.0 s',
      'something else',
      expect.stringMatching(/^ ✓ Click.* 0\.0 s$/),
      '',
    ]);
  });
});

/** The final lines of a terminal: without erased text, and without styles. */
function shownBy(written: string): string[] {
  return written
    .split('\n')
    .map((line) =>
      stripVTControlCharacters(line.slice(line.lastIndexOf('\u001b[2K') + 1)).replace('[2K', ''),
    );
}
