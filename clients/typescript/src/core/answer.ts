/** An answer as it arrived. `status` is 0 if none did. */
export interface RawAnswer {
  readonly status: number;
  readonly text: string;
  readonly retryAfter: string | null;
  /** By the clock of the server. */
  readonly date?: string | null;
}

export type Action = 'delete' | 'retry' | 'wait' | 'pause' | 'split' | 'signIn' | 'stop' | 'setAside';

export interface Decision {
  readonly action: Action;
  /** Before the next request. */
  readonly delayMs: number;
  readonly code: number;
  readonly rejected: number;
  /** The parsed JSON object; empty for anything else. */
  readonly body: Readonly<Record<string, unknown>>;
}

const mostWaitSeconds = 31 * 86_400;

export function backoffMs(attempt: number, random: number, { fromMs = 1000, toMs = 300_000 } = {}): number {
  return Math.floor(random * Math.min(toMs, fromMs * 2 ** Math.min(attempt, 40)));
}

/** What an answer means, by the table of docs/clients.md. */
export function decide(
  answer: RawAnswer,
  attempt: number,
  options: { random: number; fromMs?: number; toMs?: number },
): Decision {
  const body = readObject(answer.text);
  const data = objectOr(body['data']);
  const code = Number.isInteger(body['code']) && data !== null ? Number(body['code']) : 0;
  const { random } = options;
  const action = actionOf(answer, { code, isStored: Number.isInteger(body['accepted']) });
  const told = code === 0 ? Number(answer.retryAfter ?? 0) : data?.['retryAfterSeconds'];
  const delays: Partial<Record<Action, number>> = {
    retry: backoffMs(attempt, random, options),
    wait: secondsOf(told) * 1000 + backoffMs(0, random, options),
    pause: secondsOf(told) * 1000 + Math.floor(random * 3_600_000),
  };
  return { action, delayMs: delays[action] ?? 0, code, rejected: rejectedOf(body), body };
}

function actionOf(
  { status, retryAfter }: RawAnswer,
  { code, isStored }: { code: number; isStored: boolean },
): Action {
  if (status === 200) return isStored ? 'delete' : 'retry';
  if (status === 503 && code === 6001) return 'wait';
  if (status < 400 || status === 408 || status >= 500) return 'retry';
  if (status === 429) return limitedAction(code, retryAfter);
  if (status === 413) return 'split';
  if (status === 401 && code === 2004) return 'signIn';
  return status === 401 || status === 403 ? 'stop' : 'setAside';
}

function limitedAction(code: number, retryAfter: string | null): Action {
  if (code === 8009) return 'pause';
  return code === 6002 || Number(retryAfter ?? Number.NaN) >= 0 ? 'wait' : 'retry';
}

function rejectedOf({ rejected, rejectedInAll }: Readonly<Record<string, unknown>>): number {
  if (Number.isInteger(rejectedInAll)) return Number(rejectedInAll);
  return Array.isArray(rejected) ? rejected.length : 0;
}

function secondsOf(value: unknown): number {
  return typeof value === 'number' && value > 0 ? Math.min(value, mostWaitSeconds) : 0;
}

function objectOr(value: unknown): Readonly<Record<string, unknown>> | null {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject ? (value as Readonly<Record<string, unknown>>) : null;
}

export function readObject(text: string): Readonly<Record<string, unknown>> {
  try {
    return objectOr(JSON.parse(text)) ?? {};
  } catch {
    return {};
  }
}
