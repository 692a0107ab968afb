import {
  IncomingMessage,
  type OutgoingHttpHeader,
  type OutgoingHttpHeaders,
  ServerResponse,
} from 'node:http';
import type { Express } from 'express';
import { safeHeaders } from '../answers/safe-headers.ts';
import type { ContextHolder, RequestContext } from '../context.ts';

type Headers = OutgoingHttpHeaders | OutgoingHttpHeader[];

/** The requests of an edge: they carry their context. */
export class EdgeRequest extends IncomingMessage implements ContextHolder {
  context: RequestContext | null = null;
}

/** The responses of an edge: whoever answers, and however, the request id and what browsers are told go with it. */
export class EdgeResponse<R extends IncomingMessage = IncomingMessage> extends ServerResponse<R> {
  requestId: string | null = null;
  /** Pages of other origins may call this path. */
  crossOrigin = false;

  // At the last moment: a header that is set earlier costs every answer the long way through Node's table.
  override writeHead(status: number, reason?: string | Headers, given?: Headers): this {
    const headers = typeof reason === 'string' ? given : (reason ?? given);
    if (typeof reason === 'string') this.statusMessage = reason;
    if (this.requestId === null) return super.writeHead(status, headers);
    const safe = safeHeaders(this.crossOrigin, this.hasHeader('Content-Security-Policy'));
    if (Array.isArray(headers))
      return super.writeHead(status, [...headers, 'X-Request-Id', this.requestId, ...safe]);
    this.setHeader('X-Request-Id', this.requestId);
    for (let at = 0; at < safe.length; at += 2) this.setHeader(safe[at] ?? '', safe[at + 1] ?? '');
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
  adopt(AppRequest.prototype, app.request);
  const writeHead = EdgeResponse.prototype.writeHead;
  adopt(AppResponse.prototype, app.response);
  Object.defineProperty(AppResponse.prototype, 'writeHead', { value: writeHead, writable: true });
  Object.assign(app, { request: AppRequest.prototype, response: AppResponse.prototype });
  return { IncomingMessage: AppRequest, ServerResponse: AppResponse };
}

function adopt(prototype: object, parent: object): void {
  Object.setPrototypeOf(prototype, parent);
}
