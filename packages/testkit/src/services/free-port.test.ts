import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect, test } from 'vitest';
import { findFreePort, isPortFree } from './free-port.ts';

test('each call returns another free port, and none that the system gives to others', async () => {
  const ports = [await findFreePort(), await findFreePort(), await findFreePort()];
  expect(new Set(ports).size).toBe(3);
  for (const port of ports) {
    expect(port).toBeGreaterThan(1_023);
    // Linux gives away the ports from 32768 on, macOS and Windows those from 49152 on.
    expect(port).toBeLessThan(32_768);
  }
});

test('a port with a server is not free, and is free again when the server is closed', async () => {
  const port = await findFreePort();
  const server = createServer().listen(port, '127.0.0.1');
  await once(server, 'listening');
  expect(await isPortFree(port)).toBe(false);
  server.close();
  await once(server, 'close');
  expect(await isPortFree(port)).toBe(true);
});
