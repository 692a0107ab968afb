import {
  IncomingMessage,
  type OutgoingHttpHeader,
  type OutgoingHttpHeaders,
  ServerResponse,
} from 'node:http';
import type { Express } from 'express';
import { safeHeaders } from '../answers/safe-headers.ts';
import type { RequestContext } from '../context.ts';

type Headers = OutgoingHttpHeaders | OutgoingHttpHeader[];

/** The requests of an edge: they carry their context. */
export class EdgeRequest extends IncomingMessage {
  context: RequestContext | null = null;
}

/** The responses of an edge. Every answer contains the request id and the headers for browsers. */
export class EdgeResponse<R extends IncomingMessage = IncomingMessage> extends ServerResponse<R> {
  requestId: string | null = null;
  /** Pages of other origins may call this path. */
  crossOrigin = false;
  /** The value of the Keep-Alive header while the connection stays open; null sends none. */
  keepAlive: string | null = null;
  /** False until a header was set before `writeHead`. */
  hasOwnHeaders = false;

  override setHeader(name: string, value: number | string | readonly string[]): this {
    this.hasOwnHeaders = true;
    return super.setHeader(name, value);
  }

  override appendHeader(name: string, value: string | readonly string[]): this {
    this.hasOwnHeaders = true;
    return super.appendHeader(name, value);
  }

  // At the last moment: Node needs more time for each header that is set earlier.
  override writeHead(status: number, reason?: string | Headers, given?: Headers): this {
    const headers = typeof reason === 'string' ? given : (reason ?? given);
    if (typeof reason === 'string') this.statusMessage = reason;
    if (this.requestId === null) return super.writeHead(status, headers);
    const hasPolicy = this.hasOwnHeaders && this.hasHeader('Content-Security-Policy');
    const added = ['X-Request-Id', this.requestId, ...safeHeaders(this.crossOrigin, hasPolicy)];
    if (
      this.keepAlive !== null &&
      this.shouldKeepAlive &&
      !(this.hasOwnHeaders && this.hasHeader('Connection'))
    )
      added.push('Keep-Alive', this.keepAlive);
    if (Array.isArray(headers)) return super.writeHead(status, headers.concat(added));
    for (let at = 0; at < added.length; at += 2) this.setHeader(added[at] ?? '', added[at + 1] ?? '');
    return super.writeHead(status, headers);
  }
}

export interface Messages {
  readonly IncomingMessage: typeof EdgeRequest;
  readonly ServerResponse: typeof EdgeResponse;
}

/**
 * Messages that are born with the prototypes that Express would give to each of them otherwise, one by one: changing
 * the prototype of an object makes all that is done with it afterwards slower.
 */
export function messagesOf(app: Express): Messages {
  class AppRequest extends EdgeRequest {}
  class AppResponse<R extends IncomingMessage = IncomingMessage> extends EdgeResponse<R> {}
  Object.setPrototypeOf(AppRequest.prototype, app.request);
  Object.setPrototypeOf(AppResponse.prototype, app.response);
  for (const name of ['writeHead', 'setHeader', 'appendHeader'] as const) {
    Object.defineProperty(AppResponse.prototype, name, {
      value: EdgeResponse.prototype[name],
      writable: true,
    });
  }
  Object.assign(app, { request: AppRequest.prototype, response: AppResponse.prototype });
  return { IncomingMessage: AppRequest, ServerResponse: AppResponse };
}
