import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { createHttpServer, type HttpServer, type HttpServerOptions } from '../http/server.ts';
import { createLogger } from '../telemetry/logger.ts';
import { createMetrics, type Metrics } from '../telemetry/metrics.ts';

/** A started server for tests, with what it has logged and counted. */
export interface Harness extends AsyncDisposable {
  readonly server: HttpServer;
  readonly url: string;
  readonly port: number;
  readonly metrics: Metrics;
  readonly lines: readonly LogLine[];
}

type LogLine = Readonly<Record<string, unknown>>;

type Options = Partial<HttpServerOptions> & Pick<HttpServerOptions, 'routes'>;

export async function startHarness(options: Options): Promise<Harness> {
  const lines: LogLine[] = [];
  const logger = createLogger({
    name: 'test',
    level: 'debug',
    destination: { write: (line) => lines.push(JSON.parse(line)) },
  });
  const metrics = createMetrics();
  const server = createHttpServer({ logger, metrics, host: '127.0.0.1', port: 0, ...options });
  await server.start();
  const url = server.url();
  return {
    server,
    url,
    port: Number(new URL(url).port),
    metrics,
    lines,
    [Symbol.asyncDispose]: () => server.stop(),
  };
}

/** A connection of bare bytes: what is sent is written as it is, what came back is `text()`. */
export interface RawConnection {
  readonly socket: Socket;
  text(): string;
  /** Resolves when the server has closed its side, with all that it sent. */
  closed(): Promise<string>;
  /** Resolves when what came back holds the text. */
  received(text: string): Promise<string>;
}

/** From `localAddress`, of which loopback has many: 127.0.0.2 is another client. */
export async function connectRaw(port: number, localAddress = '127.0.0.1'): Promise<RawConnection> {
  const socket = connect({ port, host: '127.0.0.1', localAddress, allowHalfOpen: true });
  let text = '';
  socket.setEncoding('latin1');
  socket.on('data', (chunk: string) => {
    text += chunk;
  });
  // A reset ends a connection as well as a close does; what had arrived before it counts.
  const ended = Promise.race([once(socket, 'end'), once(socket, 'close')]).catch(() => null);
  socket.on('error', () => socket.destroy());
  await once(socket, 'connect');
  return {
    socket,
    text: () => text,
    closed: async () => {
      await ended;
      socket.destroy();
      return text;
    },
    received: async (wanted) => {
      while (!text.includes(wanted)) await once(socket, 'data');
      return text;
    },
  };
}

/** Sends the bytes on a connection of their own and resolves with all that came back. */
export async function exchangeRaw(port: number, bytes: string | Uint8Array): Promise<string> {
  const connection = await connectRaw(port);
  connection.socket.write(bytes);
  return connection.closed();
}

export interface RawAnswer {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: { readonly code: number; readonly data: Readonly<Record<string, unknown>> };
}

/** The answers in what a connection received, each of which must tell its length. */
export function parseAnswers(text: string): RawAnswer[] {
  const answers: RawAnswer[] = [];
  let rest = text;
  while (rest !== '') {
    const headEnd = rest.indexOf('\r\n\r\n');
    if (headEnd === -1) throw new Error(`An answer without end of headers: ${rest}`);
    const [statusLine = '', ...lines] = rest.slice(0, headEnd).split('\r\n');
    const headers = new Map(
      lines.map((line) => [line.split(':', 1)[0]?.toLowerCase() ?? '', line.replace(/^[^:]*: /, '')]),
    );
    const end = headEnd + 4 + Number(headers.get('content-length'));
    answers.push({
      status: Number(statusLine.split(' ')[1]),
      headers,
      body: JSON.parse(rest.slice(headEnd + 4, end)),
    });
    rest = rest.slice(end);
  }
  return answers;
}
