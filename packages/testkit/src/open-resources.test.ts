import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect, test } from 'vitest';
import { countOpenResources, describeLeaks } from './open-resources.ts';
import { waitUntil } from './wait-until.ts';

test('a server and a process that are left open are reported, and earlier ones are not', async () => {
  const earlier = createServer().listen(0, '127.0.0.1');
  await once(earlier, 'listening');
  const before = countOpenResources();
  expect(describeLeaks(before)).toBe('');
  const later = createServer().listen(0, '127.0.0.1');
  await once(later, 'listening');
  expect(describeLeaks(before)).toBe('1 TCPServerWrap');
  const child = spawn(process.execPath, ['-e', 'process.stdin.resume()'], {
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  expect(describeLeaks(before)).toContain('1 ProcessWrap');
  child.stdin.end();
  await once(child, 'exit');
  later.close();
  await waitUntil(() => describeLeaks(before) === '');
  earlier.close();
});
