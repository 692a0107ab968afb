import { randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { Socket } from 'node:net';
import { parameterInvalid, systemError } from '@tickrate/contract';
import type { Component } from '../process/lifecycle.ts';
import type { Telemetry } from '../telemetry/telemetry.ts';
import { HeldBodies } from './body/held-bodies.ts';
import { peerReader } from './client-address.ts';
import { HttpConnections } from './connections/connections.ts';
import { createHttpListeners } from './connections/listeners.ts';
import type { EdgeRequest, EdgeResponse, Messages } from './connections/messages.ts';
import { type EdgeOptions, HttpEdge } from './edge.ts';
import { createHttpEvents, type HttpEvents } from './events.ts';
import { type HttpLimits, httpLimits } from './limits.ts';

export interface HttpServerOptions extends Telemetry, EdgeOptions {
  readonly name?: string;
  readonly host: string;
  /** 0 takes a free one: see `url()`. */
  readonly port: number;
  /** Lets other processes that share it listen on the port too, on Linux. Default false: one is refused. */
  readonly sharePort?: boolean;
  readonly limits?: Partial<HttpLimits>;
  readonly newRequestId?: () => string;
  readonly now?: () => number;
}

export interface HttpServer extends Required<Component> {
  /** Where it listens, without a slash at the end. Throws when it does not. */
  url(): string;
  /** How many it holds now. */
  connections(): number;
}

/**
 * An HTTP server whose every answer is JSON with a request id, whatever went wrong and however early.
 * `start` throws when the address is taken or not permitted. `drain` listens no more, closes idle connections and
 * resolves when every request in flight is answered; `stop` cuts what is left.
 */
export function createHttpServer(options: HttpServerOptions): HttpServer {
  const { host, port, now = Date.now, newRequestId = randomUUID } = options;
  const limits = { ...httpLimits, ...options.limits };
  const events = createHttpEvents(options);
  const connections = new HttpConnections({
    events,
    newRequestId,
    peerOf: peerReader(options.trustedProxies ?? []),
    most: limits.maxConnections,
    mostOfAddress: limits.maxConnectionsOfAddress,
  });
  const bodies = new HeldBodies(limits.heldBodyBytes);
  const keepAlive = `timeout=${Math.floor(limits.keepAliveTimeoutMs / 1000)}`;
  const edge = new HttpEdge(options, { events, connections, bodies, now, newRequestId, keepAlive });
  const server = createNodeServer(limits, edge.messages);
  serveRequests(server, edge);
  guardConnections(server, connections, events);
  const sweep = setInterval(() => connections.closeUnused(limits), checkEveryMs(limits)).unref();
  const listeners = createHttpListeners({
    server,
    count: limits.listeners,
    sharesPort: options.sharePort ?? false,
    admits(socket) {
      if (connections.size < limits.maxConnections + surplus) return true;
      events.connectionFault('tooMany');
      socket.destroy();
      return false;
    },
  });
  let closed: Promise<void> | null = null;

  function close(): Promise<void> {
    closed ??= listeners.close().finally(() => clearInterval(sweep));
    return closed;
  }

  return {
    name: options.name ?? 'http',
    start: async () => {
      await listeners.listen(host, port).catch((error: NodeJS.ErrnoException) => {
        throw notListening(host, port, error);
      });
      events.listening(urlOf(server));
    },
    drain: () => {
      const done = close();
      connections.drain();
      return done;
    },
    stop: () => {
      const done = close();
      server.closeAllConnections();
      return done;
    },
    url: () => urlOf(server),
    connections: () => connections.size,
  };
}

/** A margin above our own limit, so that a refused connection receives the reason before it is closed. */
const surplus = 100;

type EdgeServer = Server<typeof EdgeRequest, typeof EdgeResponse>;

function createNodeServer(limits: HttpLimits, messages: Messages): EdgeServer {
  const server = createServer({
    ...messages,
    maxHeaderSize: limits.headersBytes,
    headersTimeout: limits.headersTimeoutMs,
    requestTimeout: limits.requestTimeoutMs,
    // Ours: Node would start and stop a timer for every request.
    keepAliveTimeout: 0,
    connectionsCheckingInterval: checkEveryMs(limits),
    // Refused by the edge, which answers with JSON; Node would with nothing.
    requireHostHeader: false,
    noDelay: true,
  });
  server.timeout = limits.idleTimeoutMs;
  server.maxConnections = limits.maxConnections + surplus;
  return server;
}

function serveRequests(server: EdgeServer, edge: HttpEdge): void {
  server.on('request', (request, response) => {
    // The parser continues to the end of what has arrived, also on a connection that was closed meanwhile.
    if (!request.socket.destroyed) edge.serve(edge.begin(request, response));
  });
  server.on('checkContinue', (request, response) => {
    const context = edge.begin(request, response);
    context.awaitsContinue = true;
    edge.serve(context);
  });
  server.on('checkExpectation', (request, response) => {
    edge.fail(edge.begin(request, response), parameterInvalid('Expect', 'unknown'));
  });
}

function guardConnections(server: EdgeServer, connections: HttpConnections, events: HttpEvents): void {
  server.on('connection', (socket: Socket) => void connections.opened(socket));
  server.on('drop', () => events.connectionFault('tooMany'));
  server.on('clientError', (error, socket) => connections.fail(socket, error));
  server.on('connect', (_request, socket) => connections.refuse(socket, systemError('methodNotAllowed')));
}

/** Connections end so much later than their limits say. */
function checkEveryMs({ headersTimeoutMs, keepAliveTimeoutMs }: HttpLimits): number {
  return Math.min(headersTimeoutMs, keepAliveTimeoutMs) / 2;
}

function notListening(host: string, port: number, error: NodeJS.ErrnoException): Error {
  return new Error(
    `Cannot listen on ${host}:${port}: ${listenFaults.get(error.code ?? '') ?? error.message}`,
  );
}

const listenFaults = new Map([
  ['EADDRINUSE', 'the port is in use by another process'],
  ['EACCES', 'the port needs more rights than this process has'],
  ['EADDRNOTAVAIL', 'the host is not an address of this machine'],
  ['ENOTFOUND', 'the host name is not known'],
]);

function urlOf(server: EdgeServer): string {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server does not listen');
  const host = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  return `http://${host}:${address.port}`;
}
