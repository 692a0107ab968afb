import { createServer } from 'node:net';
import { portForbidden } from './embedded-fault.ts';

/** A port that was free a moment ago, on the loopback. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}

/** Whether a process listens on the port. Rejects with an `EmbeddedFault` for a port that only root can use. */
export function isTaken(port: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', (error) => {
      const code = 'code' in error ? error.code : null;
      if (code === 'EADDRINUSE') resolve(true);
      else reject(code === 'EACCES' ? portForbidden(port) : error);
    });
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(false)));
  });
}
