import type { IncomingMessage, ServerResponse } from 'node:http';
import type { SystemError } from '@tickrate/contract';
import express, { type Express } from 'express';
import { beginRequestSpan, endRequestSpan, runInSpan } from '../telemetry/traces.ts';
import { answerJson } from './answers/answer.ts';
import { allowBrowser, type BrowserRules, grantPreflight, isForAnyOrigin } from './answers/cors.ts';
import { answerFault, type FaultOptions } from './answers/errors.ts';
import type { HeldBodies } from './body/held-bodies.ts';
import { createClientAddress } from './client-address.ts';
import type { HttpConnections } from './connections/connections.ts';
import { type EdgeRequest, type EdgeResponse, type Messages, messagesOf } from './connections/messages.ts';
import { createHeadCheck } from './connections/request-head.ts';
import { givenRequestId, RequestContext } from './context.ts';
import { type HttpEvents, methodOf, routeOf, statusOf } from './events.ts';
import { findHotRoute, type HotRoute, mountHotRoutes } from './hot-routes.ts';
import { methodsAt, unrouted } from './routing.ts';
import type { AddressVoucher } from './vouched-address.ts';

export interface EdgeOptions {
  /** Declares the routes. The edge answers requests that match none. */
  readonly routes: (app: Express) => void;
  /** Routes that get most of the requests. */
  readonly hotRoutes?: readonly HotRoute[];
  /** Addresses and CIDR ranges whose X-Forwarded-For is believed. */
  readonly trustedProxies?: readonly string[];
  /** Believes the address that another process of ours proves for its client. */
  readonly addressVoucher?: Pick<AddressVoucher, 'read'>;
  /** Beginnings of the paths that web pages may call. */
  readonly browserPaths?: readonly string[];
  /** The origins of those pages; any when left out. */
  readonly browserOrigins?: readonly string[];
  /** The versions that the answer to an unknown version lists. */
  readonly versions?: readonly string[];
  /** Every request is a span while the process is traced. */
  readonly traced?: boolean;
  /** Clients receive the message of an internal fault. Never in production. */
  readonly development?: boolean;
}

export interface EdgeParts {
  readonly events: HttpEvents;
  readonly connections: HttpConnections;
  readonly bodies: HeldBodies;
  readonly newRequestId: () => string;
  readonly now: () => number;
  /** The value of the Keep-Alive header. */
  readonly keepAlive: string;
}

// What Express calls when no route answered, with the error if there was one.
type Dispatch = (request: IncomingMessage, response: ServerResponse, done: (error?: unknown) => void) => void;

/**
 * The way of a request: it is begun (id, context), let in for browsers, routed by Express, and whatever comes out of
 * that other than an answer (no route, a SystemError, any other throwable) is answered here.
 */
export class HttpEdge {
  /** What the server must make its requests and responses of. */
  readonly messages: Messages;
  readonly #app: Express;
  readonly #dispatch: Dispatch;
  readonly #parts: EdgeParts;
  readonly #browser: BrowserRules;
  readonly #versions: readonly string[];
  readonly #faults: FaultOptions;
  readonly #addressOf: (request: IncomingMessage) => string;
  readonly #hotRoutes: readonly HotRoute[];
  readonly #traced: boolean;
  readonly #faultOfHead = createHeadCheck();

  constructor(options: EdgeOptions, parts: EdgeParts) {
    this.#hotRoutes = options.hotRoutes ?? [];
    this.#traced = options.traced ?? false;
    this.#app = createApp(options.routes, this.#hotRoutes);
    this.messages = messagesOf(this.#app);
    this.#dispatch = this.#app as unknown as Dispatch;
    this.#parts = parts;
    this.#browser = { paths: options.browserPaths ?? [], origins: options.browserOrigins ?? null };
    this.#versions = options.versions ?? [];
    this.#faults = { development: options.development ?? false, onInternalFault: parts.events.internalFault };
    const { addressVoucher, trustedProxies = [] } = options;
    const clientAddress = createClientAddress(trustedProxies);
    this.#addressOf = (request) =>
      addressVoucher?.read(request) ??
      clientAddress(request.socket.remoteAddress, request.headers['x-forwarded-for']);
  }

  /** From here the request has a context, and a log line when it ends. */
  begin(request: EdgeRequest, response: EdgeResponse): RequestContext {
    const { newRequestId, now, connections, bodies } = this.#parts;
    const context = new RequestContext({
      requestId: givenRequestId(request.headers['x-request-id']) ?? newRequestId(),
      request,
      response,
      receivedMs: now(),
      startedMs: performance.now(),
      addressOf: this.#addressOf,
      bodies,
      span: this.#traced ? beginRequestSpan(methodOf(request), request.headers['traceparent']) : null,
    });
    request.context = context;
    response.requestId = context.requestId;
    response.keepAlive = this.#parts.keepAlive;
    response.crossOrigin = isForAnyOrigin(request.url ?? '', this.#browser);
    connections.begin(context);
    response.on('close', () => this.#end(context));
    return context;
  }

  /** Routes a request that was begun, or answers why not, after those before it on its connection. Never throws. */
  serve(context: RequestContext): void {
    const { connection, response } = context;
    // The client has already received a refusal.
    if (connection?.faulted) response.destroy();
    else if (!this.#parts.connections.waits(context)) this.#serveNow(context);
  }

  #serveNow(context: RequestContext): void {
    if (context.connection?.servesNoMore) {
      context.response.destroy();
      return;
    }
    try {
      runInSpan(context.span, () => this.#route(context));
    } catch (error) {
      this.fail(context, error);
    }
  }

  fail(context: RequestContext, error: unknown): void {
    answerFault(context, error, this.#faults);
  }

  #end(context: RequestContext): void {
    const { connections, events } = this.#parts;
    connections.end(context);
    runInSpan(context.span, () => events.requestDone(context, performance.now() - context.startedMs));
    if (context.span !== null) endRequestSpan(context.span, routeOf(context), statusOf(context));
    const next = connections.nextOf(context);
    if (next !== null) this.#serveNow(next);
  }

  #route(context: RequestContext): void {
    const { request, response } = context;
    const headFault = this.#faultOfHead(request);
    if (headFault !== null) {
      this.#serveNoMore(context);
      throw headFault;
    }
    allowBrowser(request, response, this.#browser);
    if (request.method === 'OPTIONS') {
      this.#answerOptions(context).catch((error: unknown) => this.fail(context, error));
      return;
    }
    const hot = findHotRoute(this.#hotRoutes, request);
    if (hot !== null) {
      context.route = hot.path;
      hot.handler(request, response).catch((error: unknown) => this.fail(context, error));
      return;
    }
    this.#dispatch(request, response, (error) => {
      if (error) this.fail(context, error);
      else void this.#nothingAt(context).then((fault) => this.fail(context, fault));
    });
  }

  /** Where this request ends is not certain: nothing behind it is one. */
  #serveNoMore({ connection, response }: RequestContext): void {
    if (connection) connection.faulted = connection.servesNoMore = true;
    response.shouldKeepAlive = false;
  }

  async #answerOptions(context: RequestContext): Promise<void> {
    const { request, response } = context;
    if (!grantPreflight(request, response, this.#browser)) {
      const methods = await methodsAt(this.#app, pathOf(request));
      if (methods.length === 0) throw await this.#nothingAt(context);
      response.setHeader('Allow', methods.join(', '));
    }
    answerJson(response, true);
  }

  #nothingAt({ request, response }: RequestContext): Promise<SystemError> {
    return unrouted(this.#app, { path: pathOf(request), versions: this.#versions, response });
  }
}

function createApp(routes: (app: Express) => void, hotRoutes: readonly HotRoute[]): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  // With an empty id at its end, a path must not become the path of all objects.
  app.set('strict routing', true);
  mountHotRoutes(app, hotRoutes);
  routes(app);
  return app;
}

function pathOf(request: IncomingMessage): string {
  return (request.url ?? '/').split('?', 1)[0] ?? '/';
}
