import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Span } from '@opentelemetry/api';
import type { SystemError } from '@tickrate/contract';
import type { HeldBodies } from './body/held-bodies.ts';
import type { Holder } from './connections/connection-holders.ts';

/**
 * What is known of one request from its first byte to its log line. It is made before routing; authentication adds
 * the key and the project, answering adds the bytes and the failure.
 */
export class RequestContext {
  readonly requestId: string;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** The clock of the process when the request arrived, epoch milliseconds. */
  readonly receivedMs: number;
  /** Monotonic; only for the duration. */
  readonly startedMs: number;
  /** The part of the API key that logs may show. */
  keyPrefix: string | null = null;
  projectId: string | null = null;
  /** A bounded name for logs and metrics when the request was not answered by a route. */
  route: string | null = null;
  answerBytes = 0;
  failure: SystemError | null = null;
  /** Writes a failure as plain text, for clients that read no JSON. */
  writeFailure: ((failure: SystemError) => string) | null = null;
  /** A fault of the connection under this request: its body will never be complete. */
  bodyFault: SystemError | null = null;
  /** Set while a body is being read, to end that at once. */
  failBody: ((fault: SystemError) => void) | null = null;
  /** The answer was given before the body arrived: the rest is discarded before the answer ends. */
  endsAfterBody = false;
  connection: Connection | null = null;
  /** The client waits for `100 Continue` before it sends the body. */
  awaitsContinue = false;
  readonly bodies: HeldBodies;
  /** Null unless requests of the server are traced. */
  readonly span: Span | null;
  readonly #addressOf: (request: IncomingMessage) => string;
  #clientAddress: string | null = null;

  constructor(seed: ContextSeed) {
    this.requestId = seed.requestId;
    this.request = seed.request;
    this.response = seed.response;
    this.receivedMs = seed.receivedMs;
    this.startedMs = seed.startedMs;
    this.bodies = seed.bodies;
    this.span = seed.span;
    this.#addressOf = seed.addressOf;
  }

  /** The peer of the connection, or whom a trusted proxy says it speaks for. */
  get clientAddress(): string {
    this.#clientAddress ??= this.#addressOf(this.request);
    return this.#clientAddress;
  }

  /** Answers `100 Continue` if the client waits for it. */
  askForBody(): void {
    if (!this.awaitsContinue) return;
    this.awaitsContinue = false;
    this.response.writeContinue();
  }
}

/** What is in flight on one connection. */
export interface Connection {
  readonly holder: Holder;
  inFlight: number;
  /** Since it was opened. */
  requests: number;
  /** The latest request until it is answered. */
  latest: RequestContext | null;
  faulted: boolean;
  /** Pipelined requests, in their order, that are served when those before them are answered. */
  readonly waiting: RequestContext[];
  /** Where the request that was served last ends is not certain: nothing behind it is a request. */
  servesNoMore: boolean;
  /** The refusal that the client receives after all pending answers. */
  whenIdle: (() => void) | null;
  /** Since when it was idle, and how many bytes it had received, when that was last checked. */
  unused: { readonly sinceMs: number; readonly bytes: number } | null;
}

export interface ContextSeed {
  readonly requestId: string;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly receivedMs: number;
  readonly startedMs: number;
  readonly addressOf: (request: IncomingMessage) => string;
  readonly bodies: HeldBodies;
  readonly span: Span | null;
}

/** The context of a request that arrived through `createHttpServer`. Throws for any other. */
export function contextOf(request: IncomingMessage): RequestContext {
  const context = contextIfAny(request);
  if (!context) throw new Error('The request did not arrive through createHttpServer');
  return context;
}

export function contextIfAny(request: IncomingMessage): RequestContext | null {
  return (request as { readonly context?: RequestContext | null }).context ?? null;
}

const saneRequestId = /^[A-Za-z0-9._-]{1,64}$/;

/** The client's own request id when it is a sane one, else null. */
export function givenRequestId(header: string | string[] | undefined): string | null {
  return typeof header === 'string' && saneRequestId.test(header) ? header : null;
}
