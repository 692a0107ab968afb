import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';

/** What happens to a request. */
export type Fate =
  /** Forwarded and answered. */
  | 'pass'
  /** Not forwarded: the connection ends. */
  | 'refuse'
  /** Forwarded; the answer is lost. */
  | 'loseAnswer'
  /** Forwarded; the answer comes a second later. */
  | 'late'
  /** Forwarded; half of the answer arrives. */
  | 'cutAnswer'
  /** Forwarded twice; the second answer arrives. */
  | 'double'
  /** Not forwarded and not answered, until something else is decided. */
  | 'silent'
  /** Not forwarded: one of the answers of a hostile or broken network. */
  | HostileAnswer;
export type HostileAnswer = (typeof hostileAnswers)[number];

export const hostileAnswers = [
  'html',
  'noBody',
  'wrongJson',
  'redirect',
  'endless',
  'tenMegabytes',
  'tooLarge',
  'tooLargeForProxy',
  'noRoute',
  'firewall',
  'rateLimited',
  'unavailable',
  'error',
  'sessionEnded',
] as const;

export interface ChaosProxy {
  readonly url: string;
  /** Decides about each request to the event and session APIs from now on. */
  decide(fateOf: (path: string) => Fate): void;
  /** Requests that arrived, by fate. */
  readonly counts: ReadonlyMap<Fate, number>;
  /** Calls `listener` with each request that arrives, before anything happens to it. */
  onRequest(listener: (path: string) => void): void;
  close(): Promise<void>;
}

/**
 * A network between an SDK and the product. As in a real installation, events and sessions have an address each, and a
 * client has to find that of the sessions.
 */
export async function createChaosProxy(targets: {
  readonly gateway: string;
  readonly auth: string;
}): Promise<ChaosProxy> {
  let fateOf: (path: string) => Fate = () => 'pass';
  let listener: (path: string) => void = () => undefined;
  const counts = new Map<Fate, number>();
  const silent = new Set<ServerResponse>();
  const fateOfNext = (path: string) => {
    const fate = fateOf(path);
    counts.set(fate, (counts.get(fate) ?? 0) + 1);
    listener(path);
    return fate;
  };
  const servers = [targets.gateway, targets.auth].map((target) =>
    createServer((incoming, response) => {
      response.on('error', () => undefined);
      const path = incoming.url ?? '';
      // A browser asks first; what happens is decided about the request itself.
      const fate = incoming.method === 'OPTIONS' ? 'pass' : fateOfNext(path);
      if (fate === 'pass' && path === '/.well-known/tickrate') {
        response.setHeader('Access-Control-Allow-Origin', '*');
        return answer(response, 200, describe(addresses));
      }
      if (fate === 'silent') {
        silent.add(response);
        return;
      }
      void meet(fate, incoming, { response, target }).catch(() => response.destroy());
    }),
  );
  const addresses = await Promise.all(servers.map(listen));
  return {
    url: addresses[0] ?? '',
    counts,
    decide(next) {
      fateOf = next;
      for (const response of silent) response.destroy();
      silent.clear();
    },
    onRequest(next) {
      listener = next;
    },
    async close() {
      await Promise.all(servers.map(closeNow));
    },
  };
}

async function listen(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
}

async function closeNow(server: Server): Promise<void> {
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
}

function describe([events, sessions]: readonly string[]): string {
  return JSON.stringify({ protocol: 1, events, sessions, limits: {}, capabilities: [] });
}

interface Way {
  readonly response: ServerResponse;
  readonly target: string;
}

async function meet(
  fate: Exclude<Fate, 'silent'>,
  incoming: IncomingMessage,
  { response, target }: Way,
): Promise<void> {
  const parts: Buffer[] = [];
  for await (const part of incoming) parts.push(part as Buffer);
  const body = Buffer.concat(parts);
  const forwarded = () => forward(incoming, { body, target });
  switch (fate) {
    case 'pass':
      return reply(response, await forwarded());
    case 'refuse':
      response.destroy();
      return;
    case 'loseAnswer':
      await forwarded();
      response.destroy();
      return;
    case 'late': {
      const received = await forwarded();
      setTimeout(() => reply(response, received), 1_000).unref();
      return;
    }
    case 'cutAnswer': {
      const { status, headers, text } = await forwarded();
      response.writeHead(status, { ...headers, 'content-length': String(text.length) });
      response.write(text.subarray(0, text.length >> 1));
      response.destroy();
      return;
    }
    case 'double':
      await forwarded();
      return reply(response, await forwarded());
    default:
      return beHostile(fate, response);
  }
}

const plainAnswers: Readonly<Partial<Record<HostileAnswer, readonly [number, string]>>> = {
  html: [200, '<!doctype html><title>Sign in to the hotel</title>'],
  noBody: [200, ''],
  wrongJson: [200, '{"status":"ok"}'],
  redirect: [308, ''],
  tooLarge: [413, errorText(1004, { amount: 1 })],
  noRoute: [404, '<!doctype html><title>404 Not Found</title>'],
  firewall: [403, '<!doctype html><title>403 Forbidden</title>'],
  tooLargeForProxy: [413, '<!doctype html><title>413 Request Entity Too Large</title>'],
  rateLimited: [429, errorText(6002, { retryAfterSeconds: 1 })],
  unavailable: [503, errorText(6001, { retryAfterSeconds: 1 })],
  error: [500, errorText(7001)],
  sessionEnded: [401, errorText(2004, { invalidSessionId: 'us-1' })],
};

function beHostile(kind: HostileAnswer, response: ServerResponse): void {
  const plain = plainAnswers[kind];
  if (plain) {
    if (kind === 'redirect') response.setHeader('Location', 'http://127.0.0.1:9/elsewhere');
    answer(response, ...plain);
    return;
  }
  response.writeHead(200, { 'Content-Type': 'application/json' });
  pour(response, kind === 'endless' ? Number.POSITIVE_INFINITY : 10 * 1024 * 1024);
}

function errorText(code: number, data = {}): string {
  return JSON.stringify({ code, message: 'x', fields: null, data: { requestId: 'r', reason: 'x', ...data } });
}

function pour(response: ServerResponse, bytes: number): void {
  const part = Buffer.alloc(64 * 1024, ' ');
  let sent = 0;
  const more = () => {
    while (sent < bytes) {
      sent += part.length;
      if (!response.write(part)) {
        response.once('drain', more);
        return;
      }
    }
    response.end('{"accepted":1,"rejected":[]}');
  };
  more();
}

function answer(response: ServerResponse, status: number, text: string): void {
  const type = text.startsWith('<') ? 'text/html' : 'application/json';
  response.writeHead(status, { 'Content-Type': type });
  response.end(text);
}

interface Received {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly text: Buffer;
}

function reply(response: ServerResponse, { status, headers, text }: Received): void {
  response.writeHead(status, headers);
  response.end(text);
}

/** Headers that end at the proxy. */
const ofConnection = new Set(['connection', 'content-length', 'keep-alive', 'transfer-encoding']);

function forward(
  incoming: IncomingMessage,
  { body, target }: { body: Buffer; target: string },
): Promise<Received> {
  const { promise, resolve, reject } = Promise.withResolvers<Received>();
  const { host: _, connection: __, 'content-length': ___, ...headers } = incoming.headers;
  const sent = request(`${target}${incoming.url}`, { method: incoming.method, headers, agent: false });
  sent.on('error', reject);
  sent.on('response', (received) => {
    const parts: Buffer[] = [];
    received.on('data', (part: Buffer) => parts.push(part));
    received.on('error', reject);
    received.on('end', () => {
      const kept: Record<string, string> = {};
      for (const [name, value] of Object.entries(received.headers)) {
        if (typeof value === 'string' && !ofConnection.has(name)) kept[name] = value;
      }
      resolve({ status: received.statusCode ?? 0, headers: kept, text: Buffer.concat(parts) });
    });
  });
  sent.end(body);
  return promise;
}
