import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { commands } from '../commands.ts';
import { commandCodes } from './command.ts';
import { completionScript } from './completion.ts';
import { helpOf, helpText } from './help-text.ts';
import { commonOptions, parseCommandLine } from './parse-command-line.ts';

function complete(...words: string[]): string[] {
  const script = `${completionScript('bash', commands)}
COMP_WORDS=(tickrate ${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length}; _tickrate
printf '%s\\n' "\${COMPREPLY[@]}"`;
  return execFileSync('bash', ['-c', script]).toString().trim().split('\n');
}

test('bash completes commands, their operands, options and the values of options', () => {
  expect(complete('que')).toEqual(['query']);
  expect(complete('keys', 'r')).toEqual(['revoke', 'rotate']);
  expect(complete('query', '--for')).toEqual(['--format']);
  expect(complete('query', '--format', 'Par')).toEqual(['Parquet']);
  expect(complete('analyse', 'retention', '--pe')).toEqual(['--per', '--periods']);
  expect(complete('analyse', 'players', 'ban')).toEqual(['']);
  expect(complete('keys', 'create', '--kind', '')).toEqual(['public', 'administrative']);
  expect(complete('quarantine', 'list', '--kind', '')).toEqual(['rejected', 'dead']);
});

test('a command ends without a message when the reader of its output closes the pipe', async () => {
  const main = fileURLToPath(new URL('../main.ts', import.meta.url));
  const command = spawn(process.execPath, [main, 'completion', 'bash'], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  command.stdout.destroy();
  const [[code], complaint] = await Promise.all([once(command, 'exit'), text(command.stderr)]);
  expect([code, complaint]).toEqual([commandCodes.unread, '']);
});

test('zsh reads the same script through bashcompinit', () => {
  expect(completionScript('zsh', commands)).toContain('bashcompinit');
});

test('every command is in the help, has help of its own, and is found by its words', () => {
  for (const command of commands) {
    expect(helpText(commands)).toContain(`  ${command.words}`);
    expect(helpOf(command)).toContain(command.summary);
    expect(parseCommandLine([...command.words.split(' '), '--help'], commands)).toEqual({
      kind: 'help',
      command,
    });
  }
});

test('an option takes a value in all commands or in none', () => {
  const takesValue = new Map(Object.entries(commonOptions).map(([key, option]) => [key, isValued(option)]));
  for (const { words, options } of commands) {
    for (const [key, option] of Object.entries(options)) {
      expect([words, key, takesValue.get(key) ?? isValued(option)]).toEqual([words, key, isValued(option)]);
      takesValue.set(key, isValued(option));
    }
  }
});

function isValued({ placeholder }: { readonly placeholder: string | null }): boolean {
  return placeholder !== null;
}
