import { expect, test } from 'vitest';
import { buildSdk } from '../build.ts';

/** Bytes of gzip. The README names what costs how much. Lower a figure when a build gets smaller. */
const most: Readonly<Record<string, number>> = { 'core.js': 9_491, 'browser.js': 11_288 };

test('builds for web pages are no larger than the README says, and debug texts are in a file of their own', async () => {
  const files = await buildSdk({ write: false });
  for (const { name, text, gzipBytes } of files) {
    expect(gzipBytes, name).toBeLessThanOrEqual(most[name] ?? Number.POSITIVE_INFINITY);
    expect(text.includes('pass a public key of the project'), name).toBe(name === 'debug.js');
  }
  expect(files.map(({ name }) => name)).toEqual(expect.arrayContaining(Object.keys(most)));
});
