import type { IncomingMessage, ServerResponse } from 'node:http';
import { addressBucket, type RequestContext, type SecretBox } from '@tickrate/platform';

const cookieName = '__Host-tickrate';
/** Any value. A page of another origin cannot send it without a preflight, which is never granted. */
const pageHeader = 'x-tickrate-console';

/** The key of a session in a browser. Scripts cannot read it, and it opens only for the client that it was set for. */
export interface SessionCookie {
  set(context: RequestContext, session: { readonly apiKey: string; readonly absoluteExpiry: number }): void;
  clear(response: ServerResponse): void;
  /** Null without a cookie, for one of another client or with a lost key, and for a request of another origin. */
  read(context: Pick<RequestContext, 'request' | 'clientAddress'>): string | null;
}

export interface SessionCookieOptions {
  readonly sealer: Pick<SecretBox, 'seal' | 'open'>;
  readonly now: () => number;
  /** Whether the cookie is valid only from the network address that it was set for. */
  readonly boundToAddress: boolean;
}

const attributes = 'Path=/; Secure; HttpOnly; SameSite=Strict';

export function createSessionCookie({ sealer, now, boundToAddress }: SessionCookieOptions): SessionCookie {
  // The address is authenticated with the key: the cookie does not open at another place.
  const placeOf = (clientAddress: string) =>
    boundToAddress ? `console session ${addressBucket(clientAddress)}` : 'console session';
  return {
    set({ response, clientAddress }, { apiKey, absoluteExpiry }) {
      const value = sealer.seal(apiKey, placeOf(clientAddress)).toString('base64url');
      const seconds = Math.max(0, absoluteExpiry - Math.floor(now() / 1000));
      response.appendHeader('Set-Cookie', `${cookieName}=${value}; Max-Age=${seconds}; ${attributes}`);
    },
    clear(response) {
      response.appendHeader('Set-Cookie', `${cookieName}=; Max-Age=0; ${attributes}`);
    },
    read({ request, clientAddress }) {
      const value = isOfOwnPage(request) ? cookieOf(request) : null;
      if (value === null) return null;
      try {
        return sealer.open(Buffer.from(value, 'base64url'), placeOf(clientAddress));
      } catch {
        return null;
      }
    },
  };
}

/**
 * Whether a page of this very origin sends the request. Browsers set `Sec-Fetch-Site` and `Origin`; no page can. A
 * browser sends `Origin` with every change.
 */
export function isOfOwnPage({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  const isOfPage = headers['sec-fetch-site'] === 'same-origin' && headers[pageHeader] !== undefined;
  return isOfPage && (headers.origin === undefined || isOwnOrigin(headers.origin, headers));
}

/** Without the scheme: what ends TLS may be in front. A proxy that changes `Host` passes the first one on. */
function isOwnOrigin(origin: string, headers: IncomingMessage['headers']): boolean {
  const forwarded = String(headers['x-forwarded-host'] ?? '').split(',');
  const own = [headers.host ?? '', ...forwarded].map((host) => host.trim().toLowerCase());
  const host = URL.canParse(origin) ? new URL(origin).host : '';
  return host !== '' && own.includes(host);
}

/** Null for more than one of the name: it is not clear which one is ours. */
function cookieOf({ headers }: IncomingMessage): string | null {
  const start = `${cookieName}=`;
  const found = (headers.cookie ?? '').split(';').filter((each) => each.trim().startsWith(start));
  const [only] = found;
  return only === undefined || found.length > 1 ? null : only.trim().slice(start.length);
}
