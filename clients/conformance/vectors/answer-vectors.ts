interface AnswerVector {
  readonly note: string;
  /** Null means that no answer arrived. */
  readonly status: number | null;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string;
  readonly action: 'delete' | 'retry' | 'wait' | 'pause' | 'split' | 'signIn' | 'stop' | 'setAside';
  /** The delay before the next request, with r = 0.5 and for the first attempt. */
  readonly delayMs?: number;
  readonly lost?: Readonly<Record<string, number>>;
}

const html = '<!doctype html><title>Sign in to the hotel</title>';
const fault =
  '{"domain":"event","location":"/0/event/level","locationType":"body","message":"must be 1 or more","reason":"minimum"}';

function error(code: number, data: Record<string, unknown> = {}): string {
  return JSON.stringify({
    code,
    message: 'text',
    fields: null,
    data: { requestId: 'r', reason: 'x', ...data },
  });
}

const attempt0 = 500;

export const answerVectors: readonly AnswerVector[] = [
  { note: 'stored', status: 200, body: '{"accepted":3,"rejected":[]}', action: 'delete' },
  {
    note: 'with unknown members',
    status: 200,
    body: '{"accepted":3,"rejected":[],"later":1}',
    action: 'delete',
  },
  {
    note: 'one rejected',
    status: 200,
    body: `{"accepted":2,"rejected":[{"index":1,"errors":[${fault}]}]}`,
    action: 'delete',
    lost: { rejected: 1 },
  },
  {
    note: 'more rejected than listed',
    status: 200,
    body: `{"accepted":0,"rejected":[{"index":0,"errors":[${fault}]}],"rejectedInAll":900}`,
    action: 'delete',
    lost: { rejected: 900 },
  },
  {
    note: 'times were limited',
    status: 200,
    body: '{"accepted":1,"rejected":[],"notices":[{"notice":"occurredClamped","count":1}]}',
    action: 'delete',
  },
  { note: 'a portal answers', status: 200, body: html, action: 'retry', delayMs: attempt0 },
  { note: 'no body', status: 200, body: '', action: 'retry', delayMs: attempt0 },
  { note: 'another JSON', status: 200, body: '{"status":"ok"}', action: 'retry', delayMs: attempt0 },
  {
    note: 'accepted is not an integer',
    status: 200,
    body: '{"accepted":"3"}',
    action: 'retry',
    delayMs: attempt0,
  },
  { note: 'the answer of another call', status: 200, body: 'true', action: 'retry', delayMs: attempt0 },
  { note: 'no content', status: 204, body: '', action: 'retry', delayMs: attempt0 },
  { note: 'no connection', status: null, body: '', action: 'retry', delayMs: attempt0 },
  {
    note: 'redirect',
    status: 302,
    headers: { location: 'https://elsewhere.example' },
    body: '',
    action: 'retry',
    delayMs: attempt0,
  },
  {
    note: 'permanent redirect',
    status: 308,
    headers: { location: 'https://elsewhere.example' },
    body: '',
    action: 'retry',
    delayMs: attempt0,
  },
  { note: 'the body was slow', status: 408, body: error(1008), action: 'retry', delayMs: attempt0 },
  { note: 'a fault of the server', status: 500, body: error(7001), action: 'retry', delayMs: attempt0 },
  { note: 'a proxy without a server', status: 502, body: html, action: 'retry', delayMs: attempt0 },
  { note: 'a proxy is overloaded', status: 503, body: html, action: 'retry', delayMs: attempt0 },
  {
    note: 'overloaded',
    status: 503,
    body: error(6001, { retryAfterSeconds: 4 }),
    action: 'wait',
    delayMs: 4000 + attempt0,
  },
  {
    note: 'a database did not answer, and may have stored the events',
    status: 503,
    body: error(6001, { retryAfterSeconds: 1, outcomeUnknown: true }),
    action: 'wait',
    delayMs: 1000 + attempt0,
  },
  {
    note: 'rate',
    status: 429,
    body: error(6002, { retryAfterSeconds: 20 }),
    action: 'wait',
    delayMs: 20_000 + attempt0,
  },
  { note: 'rate without a time', status: 429, body: error(6002), action: 'wait', delayMs: attempt0 },
  {
    note: 'rate with a strange time',
    status: 429,
    body: error(6002, { retryAfterSeconds: -5 }),
    action: 'wait',
    delayMs: attempt0,
  },
  {
    note: 'rate with a text as time',
    status: 429,
    body: error(6002, { retryAfterSeconds: '20' }),
    action: 'wait',
    delayMs: attempt0,
  },
  {
    note: 'quota',
    status: 429,
    body: error(8009, { retryAfterSeconds: 7200 }),
    action: 'pause',
    delayMs: 7_200_000 + 1_800_000,
  },
  {
    note: 'quota until a year from now: 31 days count',
    status: 429,
    body: error(8009, { retryAfterSeconds: 31_536_000 }),
    action: 'pause',
    delayMs: 31 * 86_400_000 + 1_800_000,
  },
  {
    note: 'a proxy limits',
    status: 429,
    headers: { 'retry-after': '7' },
    body: html,
    action: 'wait',
    delayMs: 7000 + attempt0,
  },
  { note: 'a proxy limits without a time', status: 429, body: html, action: 'retry', delayMs: attempt0 },
  { note: 'body too large', status: 413, body: error(1004, { amount: 8388608 }), action: 'split' },
  { note: 'too many events', status: 413, body: error(8006, { amount: 10000 }), action: 'split' },
  { note: 'a proxy refuses the size', status: 413, body: html, action: 'retry', delayMs: attempt0 },
  { note: 'session ended', status: 401, body: error(2004, { invalidSessionId: 'us-1' }), action: 'signIn' },
  { note: 'no key', status: 401, body: error(2001), action: 'stop' },
  { note: 'key unknown', status: 401, body: error(2002), action: 'stop' },
  { note: 'a proxy asks for a password', status: 401, body: html, action: 'retry', delayMs: attempt0 },
  { note: 'kind of key', status: 403, body: error(2003), action: 'stop' },
  { note: 'origin', status: 403, body: error(2007), action: 'stop' },
  { note: 'a firewall', status: 403, body: html, action: 'retry', delayMs: attempt0 },
  {
    note: 'another body under this key',
    status: 409,
    body: error(8010),
    action: 'setAside',
    lost: { refused: 3 },
  },
  { note: 'no such call', status: 404, body: error(1006), action: 'setAside', lost: { refused: 3 } },
  {
    note: 'a proxy without a route, during a deployment',
    status: 404,
    body: html,
    action: 'retry',
    delayMs: attempt0,
  },
  { note: 'a proxy refuses the request', status: 400, body: html, action: 'retry', delayMs: attempt0 },
  { note: 'malformed', status: 400, body: error(1001), action: 'setAside', lost: { refused: 3 } },
  { note: 'content type', status: 415, body: error(1005), action: 'setAside', lost: { refused: 3 } },
  { note: 'a status that does not exist', status: 999, body: '', action: 'retry', delayMs: attempt0 },
];

/** delayMs = floor(r * min(300000, 1000 * 2^attempt)) */
export function backoffVectors() {
  return [0, 1, 2, 5, 8, 9, 20, 1000].flatMap((attempt) =>
    [0, 0.25, 0.999].map((r) => ({
      attempt,
      r,
      delayMs: Math.floor(r * Math.min(300_000, 1000 * 2 ** attempt)),
    })),
  );
}
