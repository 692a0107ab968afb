import { once } from 'node:events';
import { createServer } from 'node:net';

// Below the ports that the system chooses from for connections and for servers that ask for any port.
const first = 11_000;
const count = 9_000;
// Concurrent processes begin at different ports: 101 and 9,000 have no common factor.
const sequence = { next: process.pid * 101 };

/**
 * A port that is free now. The system gives it to no one else, also while a server on it is down. Each call in a process
 * returns another one.
 */
export async function findFreePort(): Promise<number> {
  for (let tries = 0; tries < count; tries += 1) {
    const port = first + (sequence.next++ % count);
    if (await isPortFree(port)) return port;
  }
  throw new Error(`All ports from ${first} to ${first + count - 1} are taken`);
}

export async function isPortFree(port: number): Promise<boolean> {
  const server = createServer();
  const listening = once(server, 'listening');
  server.listen(port, '127.0.0.1');
  try {
    await listening;
  } catch {
    return false;
  }
  server.close();
  await once(server, 'close');
  return true;
}
