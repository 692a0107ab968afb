import type { IncomingMessage } from 'node:http';

/**
 * The API key that a request carries, or null: `X-API-Key`, `Authorization: Bearer`, the header `api_key`, in this
 * order, and with `allowQuery` `?apiKey=` of a POST, for `navigator.sendBeacon`, which cannot set headers.
 */
export function apiKeyOf(
  request: Pick<IncomingMessage, 'method' | 'url' | 'headers'>,
  { allowQuery = false } = {},
): string | null {
  const { headers } = request;
  return (
    given(headers['x-api-key']) ??
    bearer(headers.authorization) ??
    given(headers['api_key']) ??
    (allowQuery && request.method === 'POST' ? fromQuery(request.url ?? '') : null)
  );
}

function given(header: string | string[] | undefined): string | null {
  const text = typeof header === 'string' ? header.trim() : '';
  return text === '' ? null : text;
}

function bearer(authorization: string | undefined): string | null {
  if (authorization === undefined) return null;
  return /^bearer +(\S+)\s*$/i.exec(authorization)?.[1] ?? null;
}

function fromQuery(url: string): string | null {
  const at = url.indexOf('?');
  return at === -1 ? null : given(new URLSearchParams(url.slice(at + 1)).get('apiKey') ?? undefined);
}
