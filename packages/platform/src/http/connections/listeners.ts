import { createServer, type Server, type Socket } from 'node:net';

export interface HttpListenersOptions {
  /** The HTTP server, which listens itself and serves what the others accept. */
  readonly server: Server;
  /** Called before a connection is handed over; false when it was refused. */
  readonly admits: (socket: Socket) => boolean;
  /** How many there are, where the system can share an address between them. */
  readonly count: number;
  /** Whether other processes of ours may listen on the same address. */
  readonly sharesPort: boolean;
}

/** A burst of new connections waits here until it is accepted, so that the network does not drop it. */
const backlog = 4_096;

/**
 * Node accepts one connection of each listening socket in an iteration of its event loop. With one socket, a busy process
 * would leave new clients waiting for seconds while it serves the old ones. So several sockets share the address where
 * the system supports it, and the system divides the connections between them.
 */
export function createHttpListeners({ server, admits, count, sharesPort }: HttpListenersOptions) {
  const canShare = process.platform === 'linux';
  const others = Array.from({ length: canShare ? count - 1 : 0 }, () =>
    createServer({ allowHalfOpen: true, noDelay: true }, (socket) => {
      if (admits(socket)) server.emit('connection', socket);
    }),
  );
  return {
    /** Rejects with the fault of the system if the address is not available. */
    async listen(host: string, port: number): Promise<void> {
      // Shared addresses are not checked against each other: another process of ours would not be noticed.
      if (canShare && !sharesPort && port !== 0) await probe(host, port);
      await listenOn(server, { host, port, backlog, reusePort: canShare });
      const address = server.address();
      const taken = typeof address === 'object' && address !== null ? address.port : port;
      for (const other of others) await listenOn(other, { host, port: taken, backlog, reusePort: true });
    },
    /** Takes no more connections; resolves when those that are open have ended. */
    async close(): Promise<void> {
      await Promise.all([server, ...others].map(closed));
    },
  };
}

async function probe(host: string, port: number): Promise<void> {
  const server = createServer();
  await listenOn(server, { host, port });
  await closed(server);
}

function listenOn(server: Server, options: Parameters<Server['listen']>[0] & object): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(options, () => {
      server.removeListener('error', reject);
      resolve();
    });
  });
}

function closed(server: Server): Promise<void> {
  return new Promise((resolve) => server.close(() => resolve()));
}
