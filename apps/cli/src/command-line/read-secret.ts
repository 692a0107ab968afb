import { text } from 'node:stream/consumers';
import { CommandFault, commandCodes, wrongUse } from './command.ts';

/** The part of standard input that is used here. */
export interface SecretInput extends NodeJS.ReadableStream {
  readonly isTTY?: boolean;
  setRawMode?(mode: boolean): unknown;
}

export interface SecretPrompt {
  readonly input: SecretInput;
  /** The prompt is written here, not to the output of the command. */
  readonly output: { write(text: string): unknown };
}

const keys = { enter: '\r', newLine: '\n', interrupt: '\u0003', end: '\u0004', clear: '\u0015' };
const erasing = new Set(['\u007f', '\b']);

/**
 * On a terminal, reads one line without showing it. Otherwise reads the whole input, except its last line break.
 * Rejects with a CommandFault after Ctrl-C, and for an empty input.
 */
export async function readSecret({ input, output }: SecretPrompt, prompt: string): Promise<string> {
  const { setRawMode } = input;
  if (input.isTTY !== true || setRawMode === undefined) return (await text(input)).replace(/\r?\n$/, '');
  // Set before the prompt, so that earlier input is not shown either.
  setRawMode.call(input, true);
  output.write(prompt);
  try {
    return await typedLine(input);
  } finally {
    setRawMode.call(input, false);
    input.pause();
    output.write('\n');
  }
}

function typedLine(input: SecretInput): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const typed: string[] = [];
  function take(key: string): void {
    if (key === keys.enter || key === keys.newLine) resolve(typed.join(''));
    else if (key === keys.interrupt)
      reject(new CommandFault('Broken off', { code: commandCodes.interrupted }));
    else if (key === keys.end) reject(wrongUse('Nothing was typed'));
    else if (key === keys.clear) typed.length = 0;
    else if (erasing.has(key)) typed.pop();
    else if (!/\p{Cc}/u.test(key)) typed.push(key);
  }
  const onData = (part: string | Buffer) => [...part.toString()].forEach(take);
  input.setEncoding('utf8');
  input.on('data', onData);
  input.resume();
  return promise.finally(() => input.off('data', onData));
}
