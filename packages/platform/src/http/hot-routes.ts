import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Express } from 'express';

/**
 * A route that is found without Express if a request has this path, with or without a slash at its end. Together with
 * fewer timers, this saves a fifth of the CPU of an insert (51 µs instead of 64).
 */
export interface HotRoute {
  readonly path: string;
  readonly methods: readonly ('PUT' | 'POST')[];
  readonly handler: (request: IncomingMessage, response: ServerResponse) => Promise<void>;
}

export function findHotRoute(
  routes: readonly HotRoute[],
  { url = '', method }: IncomingMessage,
): HotRoute | null {
  const route = routes.find(({ path }) => isAt(path, url));
  return route?.methods.some((each) => each === method) ? route : null;
}

export function mountHotRoutes(app: Express, routes: readonly HotRoute[]): void {
  for (const { path, methods, handler } of routes) {
    for (const method of methods) app[method === 'PUT' ? 'put' : 'post'](path, handler);
  }
}

const questionMark = 0x3f;
const slash = 0x2f;

function isAt(path: string, url: string): boolean {
  if (!url.startsWith(path)) return false;
  const end = url.charCodeAt(path.length) === slash ? path.length + 1 : path.length;
  return url.length === end || url.charCodeAt(end) === questionMark;
}
