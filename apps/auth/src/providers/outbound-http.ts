import { lookup as systemLookup } from 'node:dns';
import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { LookupFunction } from 'node:net';
import { createIsPublicAddress, outboundRefusal } from '@tickrate/platform';

export interface OutboundRequest {
  readonly url: URL;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  readonly timeoutMs?: number;
  /** Sent by POST. */
  readonly form?: URLSearchParams;
}

/** `refused`: we do not call this address. `failed`: no complete answer arrived. */
export type OutboundAnswer =
  | {
      readonly kind: 'answered';
      readonly status: number;
      readonly retryAfter: string | null;
      readonly body: string;
    }
  | { readonly kind: 'refused' | 'failed'; readonly detail: string };

/** Calls to addresses that a project configured. Never rejects. `close` closes idle connections. */
export interface OutboundHttp {
  send(request: OutboundRequest): Promise<OutboundAnswer>;
  close(): void;
}

interface OutboundOptions {
  /** Allows plain HTTP and private addresses. */
  readonly development: boolean;
  /** Resolves names to addresses. The default is the system's resolver. */
  readonly lookup?: LookupFunction;
}

const outboundLimits = { bodyBytes: 64 * 1024, timeoutMs: 5_000, connectionsPerHost: 64 } as const;

/** A redirect is an answer like any other: it is not followed. */
export function createOutboundHttp({ development, lookup }: OutboundOptions): OutboundHttp {
  const isPublic = createIsPublicAddress();
  const isAllowed = development ? () => true : isPublic;
  const agentOptions = {
    keepAlive: true,
    maxSockets: outboundLimits.connectionsPerHost,
    // Checks the address of the connection itself, so that a name cannot resolve once for a check and differently for
    // the call.
    lookup: guardLookup(lookup ?? systemLookup, isAllowed),
  };
  const http = new HttpAgent(agentOptions);
  const https = new HttpsAgent(agentOptions);

  return {
    async send(request) {
      const refusal = outboundRefusal(request.url, { development, isPublic });
      if (refusal !== null) return { kind: 'refused', detail: refusal };
      try {
        return await exchange(request, { http, https });
      } catch (error) {
        return failureOf(error);
      }
    },
    close() {
      http.destroy();
      https.destroy();
    },
  };
}

/** Removes forbidden addresses; without any left the look-up fails. */
export function guardLookup(lookup: LookupFunction, isAllowed: (address: string) => boolean): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, found) => {
      if (error !== null) return callback(error, []);
      const addresses = (Array.isArray(found) ? found : []).filter(({ address }) => isAllowed(address));
      const [first] = addresses;
      if (first === undefined) return callback(new AddressRefused('its name leads to a private address'), []);
      if (options.all) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
  };
}

class AddressRefused extends Error {}
class AnswerTooLarge extends Error {}

async function exchange(
  request: OutboundRequest,
  agents: { readonly http: HttpAgent; readonly https: HttpsAgent },
): Promise<OutboundAnswer> {
  const { url, form, timeoutMs = outboundLimits.timeoutMs } = request;
  const signal = AbortSignal.any([request.signal, AbortSignal.timeout(timeoutMs)]);
  const headers = {
    accept: 'application/json',
    'accept-encoding': 'identity',
    ...(form && { 'content-type': 'application/x-www-form-urlencoded' }),
    ...request.headers,
  };
  const method = form === undefined ? 'GET' : 'POST';
  const secure = url.protocol === 'https:';
  const call = secure
    ? httpsRequest(url, { method, headers, signal, agent: agents.https })
    : httpRequest(url, { method, headers, signal, agent: agents.http });
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    call.on('response', resolve).on('error', reject).end(form?.toString());
  });
  const body = await readAll(response);
  return {
    kind: 'answered',
    status: response.statusCode ?? 0,
    retryAfter: response.headers['retry-after'] ?? null,
    body,
  };
}

async function readAll(response: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of response as AsyncIterable<Buffer>) {
    bytes += piece.byteLength;
    // Leaving the loop destroys the connection: the rest is not read.
    if (bytes > outboundLimits.bodyBytes) throw new AnswerTooLarge();
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString('utf8');
}

/** Reports the fault by code: network messages can contain addresses with keys. */
function failureOf(error: unknown): OutboundAnswer {
  if (error instanceof AddressRefused) return { kind: 'refused', detail: error.message };
  if (error instanceof AnswerTooLarge) return { kind: 'failed', detail: 'its answer is too large' };
  const code: unknown = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'ABORT_ERR') return { kind: 'failed', detail: 'it did not answer in time' };
  return {
    kind: 'failed',
    detail: `it could not be reached (${typeof code === 'string' ? code : 'unknown'})`,
  };
}
