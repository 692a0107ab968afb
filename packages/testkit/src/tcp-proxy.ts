import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/**
 * A faulty network between a client and a service, for tests of what happens when the service is away.
 * States: open → (refuse) → refusing → (open) → open; open → (freeze) → frozen → (open) → open.
 */
export interface TcpProxy {
  /** The target's URL with the proxy's address in it. */
  readonly url: string;
  /** Resets every connection; new ones are taken. */
  cut(): void;
  /** Resets every connection and every new one, until `open`. */
  refuse(): void;
  /** Nothing passes any more, yet nothing is closed: what a hung service looks like. Until `open`. */
  freeze(): void;
  open(): void;
  readonly connections: () => number;
  close(): Promise<void>;
}

export async function createTcpProxy(targetUrl: string): Promise<TcpProxy> {
  const target = new URL(targetUrl);
  const pairs = new Set<readonly [Socket, Socket]>();
  let mode: 'open' | 'refusing' | 'frozen' = 'open';

  const server = createServer((client) => {
    client.on('error', () => undefined);
    if (mode === 'refusing') {
      client.resetAndDestroy();
      return;
    }
    const upstream = connect(Number(target.port), target.hostname);
    const pair = [client, upstream] as const;
    pairs.add(pair);
    join(pair, () => pairs.delete(pair));
    if (mode === 'frozen') pause(pair);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  const cut = () => {
    for (const pair of pairs) for (const socket of pair) socket.resetAndDestroy();
  };
  return {
    url: addressIn(target, server.address()),
    cut,
    refuse() {
      mode = 'refusing';
      cut();
    },
    freeze() {
      mode = 'frozen';
      for (const pair of pairs) pause(pair);
    },
    open() {
      mode = 'open';
      for (const [client, upstream] of pairs) {
        client.pipe(upstream);
        upstream.pipe(client);
      }
    },
    connections: () => pairs.size,
    async close() {
      cut();
      server.close();
      await once(server, 'close');
    },
  };
}

function join(pair: readonly [Socket, Socket], onClosed: () => void): void {
  const [client, upstream] = pair;
  upstream.on('error', () => undefined);
  client.on('close', () => {
    upstream.destroy();
    onClosed();
  });
  upstream.on('close', (failed) => {
    if (failed) client.resetAndDestroy();
    else client.end();
  });
  client.pipe(upstream);
  upstream.pipe(client);
}

function pause(pair: readonly [Socket, Socket]): void {
  for (const socket of pair) {
    socket.unpipe();
    socket.pause();
  }
}

function addressIn(target: URL, address: ReturnType<ReturnType<typeof createServer>['address']>): string {
  if (address === null || typeof address === 'string') throw new Error('The proxy has no TCP address');
  const url = new URL(target);
  url.hostname = '127.0.0.1';
  url.port = String(address.port);
  return url.href;
}
