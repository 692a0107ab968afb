import { systemError } from '@tickrate/contract';
import {
  type AddressVoucher,
  activeTraceparent,
  inSpan,
  noteWrite,
  type PartSpan,
  type RequestContext,
  vouchedAddressHeader,
} from '@tickrate/platform';

export interface AuthAsk {
  readonly method: string;
  /** Below the version: `/session`. */
  readonly path: string;
  readonly key: string;
  readonly body?: unknown;
  readonly context: RequestContext;
}

export interface AuthAnswer {
  readonly status: number;
  readonly contentType: string;
  readonly body: unknown;
  /** Headers that the client also gets. */
  readonly headers: readonly (readonly [string, string])[];
}

/** Sends a request to auth, for the client of this request. Rejects with 6001 if auth does not answer. */
export type AskAuth = (ask: AuthAsk) => Promise<AuthAnswer>;

const timeoutMs = 30_000;
const passedOn = ['Retry-After', 'RateLimit', 'RateLimit-Policy'];

export function createAskAuth(authUrl: string, voucher: Pick<AddressVoucher, 'write'>): AskAuth {
  return async ({ method, path, key, body, context }) => {
    const {
      accept,
      'accept-language': language,
      'idempotency-key': idempotencyKey,
    } = context.request.headers;
    try {
      const url = `${authUrl.replace(/\/$/, '')}/v1${path}`;
      const answer = await inSpan(spanOf(method), () =>
        fetch(url, {
          method,
          signal: AbortSignal.timeout(timeoutMs),
          redirect: 'error',
          headers: {
            ...traceHeader(),
            'X-API-Key': key,
            'X-Request-Id': context.requestId,
            [vouchedAddressHeader]: voucher.write(context.clientAddress),
            ...(accept !== undefined && { Accept: accept }),
            ...(language !== undefined && { 'Accept-Language': language }),
            ...(idempotencyKey !== undefined && { 'Idempotency-Key': String(idempotencyKey) }),
            ...(body !== undefined && { 'Content-Type': 'application/json' }),
          },
          ...(body !== undefined && { body: JSON.stringify(body) }),
        }),
      );
      if (method !== 'GET' && answer.ok) noteWrite();
      const headers = passedOn.flatMap((name) => {
        const value = answer.headers.get(name);
        return value === null ? [] : [[name, value] as const];
      });
      const contentType = answer.headers.get('Content-Type') ?? 'application/json';
      return { status: answer.status, contentType, headers, body: await answer.json() };
    } catch (error) {
      throw systemError(
        'temporarilyUnavailable',
        { retryAfterSeconds: 1, ...(method !== 'GET' && { outcomeUnknown: true }) },
        { fields: 'auth does not answer at AUTH_URL', cause: error },
      );
    }
  };
}

function spanOf(method: string): PartSpan<Response> {
  return {
    name: `${method} auth`,
    kind: 'client',
    attributes: { 'http.request.method': method },
    describe: ({ status }) => ({ 'http.response.status_code': status }),
  };
}

function traceHeader() {
  const traceparent = activeTraceparent();
  return traceparent === null ? {} : { traceparent };
}
