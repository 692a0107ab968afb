import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';

/** The faults of a platform. `huge` never ends; `hanging` never answers. */
export type StandInMood =
  | 'well'
  | 'hanging'
  | 'html'
  | 'blocked'
  | 'broken'
  | 'empty'
  | 'huge'
  | 'redirecting'
  | 'resetting'
  | 'busy';

export interface StandInRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: IncomingHttpHeaders;
}

export interface StandInAnswer {
  readonly status: number;
  /** An object is sent as JSON, a text as HTML. */
  readonly body: object | string;
}

/** A platform for tests, on a local address. It uses the documented protocol, and can fail. */
export interface StandIn {
  readonly address: string;
  /** The requests that it received, in order, in every mood. */
  readonly requests: readonly StandInRequest[];
  feel(mood: StandInMood): void;
  stop(): Promise<void>;
}

export async function startStandIn(answer: (request: StandInRequest) => StandInAnswer): Promise<StandIn> {
  const requests: StandInRequest[] = [];
  let mood: StandInMood = 'well';
  const server = createServer((incoming, response) => {
    const url = new URL(incoming.url ?? '/', 'http://stand-in');
    const request = { method: incoming.method ?? 'GET', url, headers: incoming.headers };
    requests.push(request);
    if (mood === 'well') send(response, answer(request));
    else misbehave[mood](response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const bound = server.address();
  if (bound === null || typeof bound === 'string') throw new Error('The stand-in has no TCP address');
  return {
    address: `http://127.0.0.1:${bound.port}`,
    requests,
    feel(next) {
      mood = next;
    },
    async stop() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

function send(response: ServerResponse, { status, body }: StandInAnswer): void {
  const isText = typeof body === 'string';
  response.writeHead(status, { 'content-type': isText ? 'text/html' : 'application/json' });
  response.end(isText ? body : JSON.stringify(body));
}

const page = '<!doctype html><title>Down for maintenance</title>';

const misbehave: Readonly<Record<Exclude<StandInMood, 'well'>, (response: ServerResponse) => void>> = {
  hanging: () => undefined,
  html: (response) => send(response, { status: 200, body: page }),
  blocked: (response) => send(response, { status: 403, body: page }),
  broken: (response) => send(response, { status: 500, body: page }),
  empty: (response) => response.writeHead(200).end(),
  huge: (response) => pour(response.writeHead(200, { 'content-type': 'application/json' })),
  redirecting: (response) => response.writeHead(302, { location: '/elsewhere' }).end(),
  resetting: (response) => response.socket?.resetAndDestroy(),
  busy: (response) => response.writeHead(429, { 'retry-after': '17' }).end(),
};

function pour(response: ServerResponse): void {
  const piece = ' '.repeat(16_384);
  const more = () => {
    while (!response.destroyed && response.write(piece));
  };
  response.on('drain', more);
  more();
}
