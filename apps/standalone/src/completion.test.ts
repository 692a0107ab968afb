import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
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
  expect(complete('--format', 'Par')).toEqual(['Parquet']);
});

test('zsh reads the same, through its own bridge', () => {
  expect(completionScript('zsh')).toContain('bashcompinit');
  expect(completionScript('fish')).toBeNull();
});

test('every command is in the help, has help of its own and is found by its words', () => {
  for (const use of commandUses) {
    expect(helpText()).toContain(`  ${use.words}`);
    expect(helpOf(use)).toContain(use.summary);
    expect(findCommand([...use.words.split(' '), 'operand'])).toEqual({ use, operands: ['operand'] });
  }
  expect(findCommand(['frobnicate'])).toBeNull();
});
