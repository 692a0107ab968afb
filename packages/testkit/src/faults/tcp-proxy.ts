import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { Transform } from 'node:stream';
import { setTimeout } from 'node:timers/promises';

/**
 * A faulty network between a client and a service, for tests of outages. States: open → (refuse | freeze | loseAnswers)
 * → refusing | frozen | losing → (open) → open. Delays are independent of the state.
 */
export interface TcpProxy {
  /** The target's URL with the proxy's address. */
  readonly url: string;
  /** Resets every connection; new ones are accepted. */
  cut(): void;
  /** Resets every connection and every new one, until `open`. */
  refuse(): void;
  /** Nothing passes, but nothing is closed: like a hung service. Until `open`. */
  freeze(): void;
  /** Requests arrive, but no answers: the first byte of an answer resets the connection, until `open`. */
  loseAnswers(): void;
  open(): void;
  /** Delays all data in both directions from now on. 0 for no delay. */
  delay(delayMs: number): void;
  readonly connections: () => number;
  close(): Promise<void>;
}

export async function createTcpProxy(targetUrl: string): Promise<TcpProxy> {
  const target = new URL(targetUrl);
  const pairs = new Set<Pair>();
  let mode: 'open' | 'refusing' | 'frozen' | 'losing' = 'open';
  let delayMs = 0;

  const server = createServer((client) => {
    client.on('error', () => undefined);
    if (mode === 'refusing') return void client.resetAndDestroy();
    const pair: Pair = {
      client,
      upstream: connect(Number(target.port), target.hostname),
      request: createPassage(() => delay(delayMs)),
      answer: createPassage(() => (mode === 'losing' ? reset(pair) : delay(delayMs))),
    };
    pairs.add(pair);
    join(pair, () => pairs.delete(pair));
    if (mode === 'frozen') pause(pair);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  const cut = () => {
    for (const pair of pairs) reset(pair);
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
    loseAnswers() {
      mode = 'losing';
    },
    open() {
      if (mode === 'frozen') for (const pair of pairs) flow(pair);
      mode = 'open';
    },
    delay(ms) {
      delayMs = ms;
    },
    connections: () => pairs.size,
    async close() {
      cut();
      server.close();
      await once(server, 'close');
    },
  };
}

interface Pair {
  readonly client: Socket;
  readonly upstream: Socket;
  readonly request: Transform;
  readonly answer: Transform;
}

/** Passes each piece on after `before`, in order. */
function createPassage(before: () => Promise<void> | void): Transform {
  return new Transform({
    transform(piece: Buffer, _encoding, done) {
      const waiting = before();
      if (waiting === undefined) done(null, piece);
      else void waiting.then(() => done(null, piece));
    },
  });
}

function delay(delayMs: number): Promise<void> | undefined {
  return delayMs === 0 ? undefined : setTimeout(delayMs);
}

function join(pair: Pair, onClosed: () => void): void {
  const { client, upstream, request, answer } = pair;
  upstream.on('error', () => undefined);
  client.on('close', () => {
    upstream.destroy();
    onClosed();
  });
  upstream.on('close', (failed) => {
    if (failed) client.resetAndDestroy();
    else client.end();
  });
  request.pipe(upstream);
  answer.pipe(client);
  flow(pair);
}

function flow({ client, upstream, request, answer }: Pair): void {
  client.pipe(request);
  upstream.pipe(answer);
}

function pause({ client, upstream }: Pair): void {
  for (const socket of [client, upstream]) {
    socket.unpipe();
    socket.pause();
  }
}

function reset({ client, upstream }: Pair): void {
  for (const socket of [client, upstream]) {
    // A connection that was ended cannot be reset any more: Node would keep its handle forever.
    if (socket.writableEnded) socket.destroy();
    else socket.resetAndDestroy();
  }
}

function addressIn(target: URL, address: ReturnType<ReturnType<typeof createServer>['address']>): string {
  if (address === null || typeof address === 'string') throw new Error('The proxy has no TCP address');
  const url = new URL(target);
  url.hostname = '127.0.0.1';
  url.port = String(address.port);
  return url.href;
}
