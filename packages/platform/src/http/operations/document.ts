import { type Discovery, discoveryOperation, type JsonObject, renderDocumentPage } from '@tickrate/contract';
import type { Express } from 'express';
import { answerText } from '../answers/answer.ts';

const pagePolicy = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'";

/** `/openapi.json` and `/docs`, without a key. They are created at the first request. Mount them after the hot routes. */
export function addDocumentRoutes(app: Express, document: () => JsonObject): void {
  const json = once(() => JSON.stringify(document()));
  const page = once(() => renderDocumentPage(document()));
  app.get('/openapi.json', (_request, response) => {
    response.setHeader('Cache-Control', 'no-cache');
    answerText(response, json());
  });
  app.get('/docs', (_request, response) => {
    response.setHeader('Cache-Control', 'no-cache');
    response.setHeader('Content-Security-Policy', pagePolicy);
    answerText(response, page(), { contentType: 'text/html; charset=utf-8' });
  });
}

export const discoveryPaths = '/.well-known/';

/** `/.well-known/tickrate`, for everybody. */
export function addDiscoveryRoute(app: Express, discovery: Discovery): void {
  const json = JSON.stringify(discovery);
  app.get(discoveryOperation.path, (_request, response) => {
    response.setHeader('Cache-Control', 'max-age=3600');
    answerText(response, json);
  });
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | null = null;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
