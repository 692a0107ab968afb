import { text } from 'node:stream/consumers';
import { commandCodes } from './command.ts';
import { readStandaloneValues } from './config.ts';
import { readSecret } from './read-secret.ts';
import { runTickrate } from './tickrate.ts';

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

const code = await runTickrate(process.argv.slice(2), {
  readValues: readStandaloneValues,
  out: (part) => new Promise((resolve) => process.stdout.write(part, resolve)),
  complain: (line) => process.stderr.write(line),
  readInput: () => text(process.stdin),
  readSecret: (prompt) => readSecret({ input: process.stdin, output: process.stderr }, prompt),
  interactive: process.stdin.isTTY === true,
  signal: interrupted.signal,
  now: Date.now,
});
process.exitCode = isUnread ? commandCodes.unread : code;
