import type { IncomingMessage } from 'node:http';
import { problemBody, SystemError, systemError, systemErrorBody } from '@tickrate/contract';
import { tooMuchToDiscard } from '../body/discard.ts';
import { parseWeights } from '../body/encoding.ts';
import type { RequestContext } from '../context.ts';
import { answerJson, answerText } from './answer.ts';

export interface FaultOptions {
  /** Clients receive the message of an internal fault. Never in production. */
  readonly development: boolean;
  /** Called once for every error that is not a SystemError. */
  readonly onInternalFault: (context: RequestContext, error: unknown) => void;
}

/** Answers a request with what went wrong; when the answer has begun already, the connection is all that can end. */
export function answerFault(context: RequestContext, error: unknown, options: FaultOptions): void {
  const { response, request } = context;
  const fault = asSystemError(context, error, options);
  context.failure = fault;
  if (response.headersSent || response.destroyed) {
    response.destroy();
    return;
  }
  for (const name of ['Content-Encoding', 'ETag', 'Last-Modified', 'Cache-Control'])
    response.removeHeader(name);
  const { retryAfterSeconds } = fault.data;
  if (typeof retryAfterSeconds === 'number') response.setHeader('Retry-After', retryAfterSeconds);
  if (fault.status === 401) response.setHeader('WWW-Authenticate', 'Bearer');
  // A client that waits for 100 Continue will not send the body.
  context.endsAfterBody = !request.complete && !context.bodyFault && !context.awaitsContinue;
  if (context.bodyFault || tooMuchToDiscard(request)) response.setHeader('Connection', 'close');
  if (context.writeFailure !== null) {
    const text = context.writeFailure(fault);
    answerText(response, text, { status: fault.status, contentType: 'text/plain; charset=utf-8' });
    return;
  }
  const problem = wantsProblem(request);
  answerJson(
    response,
    problem ? problemBody(fault, context.requestId) : systemErrorBody(fault, context.requestId),
    {
      status: fault.status,
      ...(problem && { contentType: 'application/problem+json; charset=utf-8' }),
    },
  );
}

function asSystemError(context: RequestContext, error: unknown, options: FaultOptions): SystemError {
  if (error instanceof SystemError) {
    if (error.reason === 'internalException') options.onInternalFault(context, error.cause ?? error);
    return error;
  }
  // What Express throws for a path that is not valid percent-encoding.
  if (error instanceof URIError) return systemError('routeNotFound');
  options.onInternalFault(context, error);
  const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return systemError('internalException', options.development ? { internalExceptionMessage: message } : {}, {
    cause: error,
  });
}

function wantsProblem(request: IncomingMessage): boolean {
  const { accept } = request.headers;
  if (accept === undefined || !/problem\+json/i.test(accept)) return false;
  const weights = parseWeights(accept);
  const weight = weights.get('application/problem+json') ?? 0;
  return weight > 0 && weight >= (weights.get('application/json') ?? 0);
}
