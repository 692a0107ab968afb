import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Express } from 'express';

/** A route that is found without Express if a request has exactly this path. Express finds every other spelling. */
export interface HotRoute {
  readonly path: string;
  readonly methods: readonly ('PUT' | 'POST')[];
  readonly handler: (request: IncomingMessage, response: ServerResponse) => Promise<void>;
}

export function findHotRoute(
  routes: readonly HotRoute[],
  { url = '', method }: IncomingMessage,
): HotRoute | null {
  for (const route of routes) if (isAt(route.path, url)) return serves(route, method) ? route : null;
  return null;
}

export function mountHotRoutes(app: Express, routes: readonly HotRoute[]): void {
  for (const { path, methods, handler } of routes) {
    for (const method of methods) {
      if (method === 'PUT') app.put(path, handler);
      else app.post(path, handler);
    }
  }
}

const questionMark = 0x3f;

function isAt(path: string, url: string): boolean {
  if (!url.startsWith(path)) return false;
  return url.length === path.length || url.charCodeAt(path.length) === questionMark;
}

function serves({ methods }: HotRoute, method: string | undefined): boolean {
  return methods.some((each) => each === method);
}
