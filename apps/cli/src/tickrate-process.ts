import { text } from 'node:stream/consumers';
import { printableLines } from '@tickrate/contract';
import { commandCodes } from './command-line/command.ts';
import { readSecret } from './command-line/read-secret.ts';
import { cliConfig } from './config.ts';
import { runTickrate } from './tickrate.ts';

/** Runs `tickrate` in this process: its streams, Ctrl-C, and the exit code. */
export async function runTickrateProcess(args: readonly string[]): Promise<void> {
  const interrupted = new AbortController();
  process.once('SIGINT', () => interrupted.abort());
  let isUnread = false;
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
      isUnread = true;
      interrupted.abort();
    });
  }
  const decoder = new TextDecoder();
  // A file gets the bytes of an answer as they are.
  const shown = (part: string | Uint8Array) =>
    typeof part === 'string' || !process.stdout.isTTY
      ? part
      : printableLines(decoder.decode(part, { stream: true }));
  const code = await runTickrate(args, {
    readValues: cliConfig.parse,
    out: (part) => new Promise((resolve) => process.stdout.write(shown(part), resolve)),
    complain: (line) => process.stderr.write(line),
    readInput: () => text(process.stdin),
    readSecret: (prompt) => readSecret({ input: process.stdin, output: process.stderr }, prompt),
    interactive: process.stdin.isTTY === true,
    signal: interrupted.signal,
    now: Date.now,
  });
  process.exitCode = isUnread ? commandCodes.unread : code;
}
