import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { commandCodes } from './command.ts';
import { commandUses, findCommand } from './commands.ts';
import { completionScript } from './completion.ts';
import { helpOf, helpText } from './help-text.ts';

function complete(...words: string[]): string[] {
  const script = `${completionScript('bash')}
COMP_WORDS=(tickrate ${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length}; _tickrate
printf '%s\\n' "\${COMPREPLY[@]}"`;
  return execFileSync('bash', ['-c', script]).toString().trim().split('\n');
}

test('bash completes commands, what follows them, options and their values', () => {
  expect(complete('que')).toEqual(['query']);
  expect(complete('keys', 'r')).toEqual(['revoke', 'rotate']);
  expect(complete('query', '--for')).toEqual(['--format']);
  expect(complete('query', '--format', 'Par')).toEqual(['Parquet']);
  expect(complete('analyse', 'players', '--pe')).toEqual(['--per', '--periods']);
  expect(complete('analyse', 'players', 'ban')).toEqual(['']);
  expect(complete('keys', 'create', '--kind', '')).toEqual(['public', 'administrative']);
  expect(complete('quarantine', 'list', '--kind', '')).toEqual(['rejected', 'dead']);
});

test('a reader that goes away ends a command without a word', async () => {
  const main = fileURLToPath(new URL('./tickrate-main.ts', import.meta.url));
  const command = spawn(process.execPath, [main, 'completion', 'bash'], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  command.stdout.destroy();
  const [[code], complaint] = await Promise.all([once(command, 'exit'), text(command.stderr)]);
  expect([code, complaint]).toEqual([commandCodes.unread, '']);
});

test('zsh reads the same, through its own bridge', () => {
  expect(completionScript('zsh')).toContain('bashcompinit');
  expect(completionScript('fish')).toBeNull();
});

test('every command is in the help, has help of its own and is found by its words', () => {
  for (const use of commandUses) {
    expect(helpText(commandUses)).toContain(`  ${use.words}`);
    expect(helpOf(use)).toContain(use.summary);
    expect(findCommand([...use.words.split(' '), 'operand'])).toEqual({ use, operands: ['operand'] });
  }
  expect(findCommand(['frobnicate'])).toBeNull();
});
