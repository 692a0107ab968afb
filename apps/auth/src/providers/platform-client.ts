import { inSpan, type PartSpan } from '@tickrate/platform';
import type { CircuitBreaker } from './circuit-breaker.ts';
import type { OutboundAnswer, OutboundHttp, OutboundRequest } from './outbound-http.ts';
import type { TokenVerdict } from './provider.ts';

/**
 * `json` includes refusals (4xx), whose body is null if it is not JSON; 5xx, 429 and invalid answers are `unavailable`.
 */
export type PlatformAnswer =
  | { readonly kind: 'json'; readonly status: number; readonly body: unknown }
  | { readonly kind: 'unavailable'; readonly retryAfterSeconds: number; readonly detail: string }
  | { readonly kind: 'misconfigured'; readonly detail: string };

/** Calls platforms that answer JSON, with a circuit breaker for each. Never rejects. */
export interface PlatformClient {
  askJson(request: OutboundRequest): Promise<PlatformAnswer>;
}

const usualRetrySeconds = 5;
const longestRetrySeconds = 60;

export function createPlatformClient(http: OutboundHttp, breaker: CircuitBreaker): PlatformClient {
  return {
    async askJson(request) {
      // By path too, so that slow profiles do not block the check of tickets.
      const endpoint = request.url.origin + request.url.pathname;
      const waitMs = breaker.waitMs(endpoint);
      if (waitMs > 0) {
        return unavailable('it failed too often and is not asked for now', Math.ceil(waitMs / 1000));
      }
      const answer = await inSpan(spanOf(request), () => http.send(request));
      if (answer.kind === 'refused') return { kind: 'misconfigured', detail: answer.detail };
      const read = answer.kind === 'answered' ? readAnswer(answer) : unavailable(answer.detail);
      if (read.kind === 'unavailable' && !(answer.kind === 'answered' && answer.status === 429)) {
        breaker.failed(endpoint);
      } else breaker.succeeded(endpoint);
      return read;
    },
  };
}

/** Without the path and the query, which may contain tokens. */
function spanOf({ url: { hostname }, form }: OutboundRequest): PartSpan<OutboundAnswer> {
  const method = form === undefined ? 'GET' : 'POST';
  return {
    name: `${method} ${hostname}`,
    kind: 'client',
    attributes: { 'http.request.method': method, 'server.address': hostname },
    describe: (answer) =>
      answer.kind === 'answered'
        ? { 'http.response.status_code': answer.status }
        : { 'error.type': answer.kind },
  };
}

/** The verdict where the platform gave no answer to judge. */
export function verdictWithout(
  answer: Exclude<PlatformAnswer, { kind: 'json' }>,
  platform: string,
): TokenVerdict {
  const detail = `${platform}: ${answer.detail}`;
  return answer.kind === 'unavailable'
    ? { status: 'unavailable', retryAfterSeconds: answer.retryAfterSeconds, detail }
    : { status: 'misconfigured', detail };
}

/** A refusal that does not come from the platform: from a proxy, a firewall or a maintenance page. */
export function isPage(answer: PlatformAnswer): boolean {
  return answer.kind === 'json' && answer.status >= 400 && answer.body === null;
}

function readAnswer({
  status,
  retryAfter,
  body,
}: Extract<OutboundAnswer, { kind: 'answered' }>): PlatformAnswer {
  if (status === 429 || status >= 500) {
    const seconds = Math.ceil(Number(retryAfter ?? usualRetrySeconds));
    return unavailable(`it answered ${status}`, Number.isFinite(seconds) ? seconds : usualRetrySeconds);
  }
  if (status >= 300 && status < 400)
    return unavailable(`it answered ${status}, and redirects are not followed`);
  const json = parse(body);
  if (json === undefined && status < 400) return unavailable(`it answered ${status} without JSON`);
  return { kind: 'json', status, body: json ?? null };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function unavailable(detail: string, seconds = usualRetrySeconds): PlatformAnswer {
  const retryAfterSeconds = Math.min(Math.max(1, seconds), longestRetrySeconds);
  return { kind: 'unavailable', retryAfterSeconds, detail };
}
