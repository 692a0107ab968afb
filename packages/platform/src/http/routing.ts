import type { ServerResponse } from 'node:http';
import { type SystemError, systemError } from '@tickrate/contract';
import type { Express, Request, Response } from 'express';

/**
 * The methods that the declared routes take at a path; none when there is no such path. Asks Express, which answers
 * OPTIONS with them by itself: middleware on the way must pass on a request with that method.
 */
export async function methodsAt(app: Express, path: string): Promise<readonly string[]> {
  const { promise: allowed, resolve } = Promise.withResolvers<string>();
  const request = { method: 'OPTIONS', url: path };
  const response = {
    setHeader: (name: string, value: string) => name === 'Allow' && resolve(value),
    end: () => undefined,
  };
  // Nothing takes the path, or it is not valid percent-encoding.
  const nothing = () => resolve('');
  app.router(request as Request, response as unknown as Response, nothing);
  const methods = (await allowed).split(', ').filter((method) => method !== '');
  return [...new Set(methods)].sort();
}

const versionSegment = /^\/(v\d+|\d{4}-\d{2}-\d{2})(?=\/|$)/;

/** What no route took: 1007 with Allow where another method would be taken, else 1006. */
export async function unrouted(
  app: Express,
  { path, versions, response }: { path: string; versions: readonly string[]; response: ServerResponse },
): Promise<SystemError> {
  const methods = await methodsAt(app, path);
  if (methods.length > 0) {
    response.setHeader('Allow', methods.join(', '));
    return systemError('methodNotAllowed');
  }
  const version = versionSegment.exec(path)?.[1];
  if (version !== undefined && versions.length > 0 && !versions.includes(version)) {
    return systemError('routeNotFound', { knownVersions: versions });
  }
  const hasPage = (await methodsAt(app, '/docs')).length > 0;
  return systemError('routeNotFound', {}, hasPage ? { fields: 'GET /docs lists the calls' } : {});
}
