import { createServer } from 'node:net';

/** Whether another program listens on the port. A port that this user may not open counts as taken. */
export function isTaken(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(true));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(false)));
  });
}
