import { type IncomingMessage, METHODS } from 'node:http';
import type { Telemetry } from '../telemetry/telemetry.ts';
import type { RequestContext } from './context.ts';

export type HttpEvents = ReturnType<typeof createHttpEvents>;

const methods = new Set(METHODS);

/** What happens at the HTTP edge. One line for each request; the route is a declared one or 'none'. */
export function createHttpEvents({ logger, metrics }: Telemetry) {
  const requests = metrics.histogram({
    name: 'tickrate_http_request_duration_seconds',
    help: 'Requests from their first byte to the end of their answer, by route, method and status',
    labels: ['route', 'method', 'status'],
  });
  const refusedConnections = metrics.counter({
    name: 'tickrate_http_connection_faults_total',
    help: 'Connections that ended before a request could be routed, by fault',
    labels: ['fault'],
  });
  return {
    requestDone(context: RequestContext, durationMs: number) {
      const { request, failure } = context;
      const route = routeOf(context);
      const method = methodOf(request);
      const status = statusOf(context);
      requests
        .of(route)
        .of(method)
        .of(status)
        .observe(durationMs / 1000);
      logger.info(
        {
          requestId: context.requestId,
          method,
          route,
          status,
          errorCode: failure?.code,
          durationMs: Math.round(durationMs * 100) / 100,
          bytes: context.answerBytes,
          key: context.keyPrefix ?? undefined,
          project: context.projectId ?? undefined,
        },
        'request',
      );
    },
    internalFault(context: RequestContext, err: unknown) {
      logger.error({ requestId: context.requestId, route: routeOf(context), err }, 'internal fault');
    },
    connectionFault(fault: ConnectionFault) {
      refusedConnections.inc({ fault });
      logger.debug({ fault }, 'connection fault');
    },
    listening(url: string) {
      logger.info({ url }, 'listening');
    },
  };
}

export type ConnectionFault =
  | 'malformed'
  | 'headersTooLarge'
  | 'timeout'
  | 'truncated'
  | 'reset'
  | 'tooMany'
  | 'tooManyOfAddress'
  | 'tooManyWaiting'
  | 'madeRoom'
  | 'stale';

// Express leaves the matched route on the request.
interface Routed {
  readonly route?: { readonly path?: unknown };
  readonly baseUrl?: string;
}

export function routeOf(context: RequestContext): string {
  if (context.route !== null) return context.route;
  const { route, baseUrl = '' } = context.request as Routed;
  return route?.path === undefined ? 'none' : baseUrl + String(route.path);
}

export function methodOf({ method = '' }: IncomingMessage): string {
  return methods.has(method) ? method : 'other';
}

export function statusOf({ response }: RequestContext): number | 'aborted' {
  return response.writableFinished ? response.statusCode : 'aborted';
}
