import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { readSecret, type SecretInput } from './read-secret.ts';

/** A terminal with typed input, and the modes that were set on it, in order. */
function terminal() {
  const written: string[] = [];
  const stream = new PassThrough();
  const input: SecretInput = Object.assign(stream, {
    isTTY: true,
    setRawMode(this: unknown, mode: boolean) {
      if (this !== stream) throw new TypeError('not called on the terminal');
      written.push(mode ? 'no echo' : 'echo');
    },
  });
  const read = () => readSecret({ input, output: { write: (text) => written.push(text) } }, 'Password: ');
  return { written, type: (text: string) => stream.write(text), read };
}

test('on a terminal, a line is read without showing it, and the mode of the terminal is restored', async () => {
  const { written, type, read } = terminal();
  const secret = read();
  type('wrong\u0015Gehe');
  type('im\u007fm näß🔑\u001b\rrest');
  expect(await secret).toBe('Geheim näß🔑');
  expect(written).toEqual(['no echo', 'Password: ', 'echo', '\n']);
});

test.each([
  ['\u0003', 130],
  ['\u0004', 64],
])('a terminal is as it was after %j too', async (key, code) => {
  const { written, type, read } = terminal();
  const secret = read();
  type(`half${key}`);
  await expect(secret).rejects.toMatchObject({ code });
  expect(written).toEqual(['no echo', 'Password: ', 'echo', '\n']);
});

test('without a terminal, the whole input is the secret, except its last line break', async () => {
  const input = new PassThrough();
  input.end('two\nlines\r\n');
  expect(await readSecret({ input, output: { write: () => undefined } }, 'Password: ')).toBe('two\nlines');
});
