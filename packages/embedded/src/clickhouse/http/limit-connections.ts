import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Limits the connections of a server, and closes the one that is idle for the longest time before it refuses a new one.
 * The limit is for all callers together: the server listens on 127.0.0.1 only, where they share one address.
 */
export function limitConnections(server: Server, most: number): void {
  // One more than `most`, so that a new one arrives before an idle one leaves.
  server.maxConnections = most + 1;
  const open = new Set<Socket>();
  /** The longest idle one comes first. */
  const idle = new Set<Socket>();
  server.on('connection', (socket) => {
    open.add(socket);
    socket.once('close', () => {
      open.delete(socket);
      idle.delete(socket);
    });
    const [longest] = idle;
    if (open.size > most) longest?.destroy();
  });
  server.on('request', ({ socket }, response) => {
    idle.delete(socket);
    response.once('close', () => {
      if (open.has(socket)) idle.add(socket);
    });
  });
}
