import type { ServerResponse } from 'node:http';
import { type SystemError, systemError } from '@tickrate/contract';
import type { Express } from 'express';

// What is used of Express' router: a test fails should it ever look different.
interface Layer {
  readonly route?: { readonly methods: Readonly<Record<string, boolean>> };
  readonly handle: unknown;
  match(path: string): { readonly path: string } | false;
}

/** The methods that the declared routes take at a path; none when there is no such path. */
export function methodsAt(app: Express, path: string): readonly string[] {
  const methods = new Set<string>();
  collect(app.router, path, methods);
  if (methods.has('GET')) methods.add('HEAD');
  return [...methods].sort();
}

function collect(router: unknown, path: string, methods: Set<string>): void {
  for (const layer of layersOf(router)) {
    const match = matchOf(layer, path);
    if (!match) continue;
    for (const [method, taken] of Object.entries(layer.route?.methods ?? {})) {
      if (taken && method !== '_all') methods.add(method.toUpperCase());
    }
    if (!layer.route) collect(layer.handle, path.slice(match.path.length) || '/', methods);
  }
}

function layersOf(router: unknown): readonly Layer[] {
  return (router as { readonly stack?: readonly Layer[] }).stack ?? [];
}

function matchOf(layer: Layer, path: string): { readonly path: string } | false {
  try {
    return layer.match(path);
  } catch {
    // The path is not valid percent-encoding: nothing is there.
    return false;
  }
}

const versionSegment = /^\/(v\d+|\d{4}-\d{2}-\d{2})(?=\/|$)/;

/** What no route took: 1007 with Allow where another method would be taken, else 1006. */
export function unrouted(
  app: Express,
  { path, versions, response }: { path: string; versions: readonly string[]; response: ServerResponse },
): SystemError {
  const methods = methodsAt(app, path);
  if (methods.length > 0) {
    response.setHeader('Allow', methods.join(', '));
    return systemError('methodNotAllowed');
  }
  const version = versionSegment.exec(path)?.[1];
  if (version !== undefined && versions.length > 0 && !versions.includes(version)) {
    return systemError('routeNotFound', { knownVersions: versions });
  }
  return systemError('routeNotFound');
}
