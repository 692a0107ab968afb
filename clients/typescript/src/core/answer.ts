import { type Json, objectOf, parseObject } from './json.ts';

/** An answer as it arrived. `status` is 0 if none did. */
export interface RawAnswer {
  readonly status: number;
  readonly text: string;
  readonly retryAfter: string | null;
  /** By the clock of the server. */
  readonly date?: string | null;
  /** Why there is no answer. */
  readonly fault?: unknown;
}

export type Action = 'delete' | 'retry' | 'wait' | 'pause' | 'split' | 'signIn' | 'stop' | 'setAside';

export interface Decision {
  readonly action: Action;
  /** Before the next request. */
  readonly delayMs: number;
  readonly code: number;
  readonly rejected: number;
  /** The parsed JSON object; empty for anything else. */
  readonly body: Json;
}

const mostWaitSeconds = 31 * 86_400;

export function backoffMs(attempt: number, random: number, { fromMs = 1000, toMs = 300_000 } = {}): number {
  return Math.floor(random * Math.min(toMs, fromMs * 2 ** attempt));
}

/** The same request would be refused again. */
export function isFinal(status: number): boolean {
  return status >= 400 && status < 500 && status !== 408 && status !== 429;
}

/** What an answer means, by the table of docs/clients.md. */
export function decide(
  answer: RawAnswer,
  attempt: number,
  options: { random: number; fromMs?: number; toMs?: number },
): Decision {
  const body = parseObject(answer.text);
  const code = codeOf(body);
  const { random } = options;
  const action = actionOf(answer, code, Number.isInteger(body['accepted']));
  const waitMs =
    secondsOf(code ? objectOf(body['data'])?.['retryAfterSeconds'] : Number(answer.retryAfter)) * 1000;
  const delays: Partial<Record<Action, number>> = {
    retry: backoffMs(attempt, random, options),
    wait: waitMs + backoffMs(0, random, options),
    pause: waitMs + Math.floor(random * 3_600_000),
  };
  return { action, delayMs: delays[action] ?? 0, code, rejected: rejectedOf(body), body };
}

/** 0 for an answer that is not Tickrate's, such as a proxy's. */
export function codeOf({ data, code }: Json): number {
  return objectOf(data) ? integerOf(code) : 0;
}

function actionOf({ status, retryAfter }: RawAnswer, code: number, isStored: boolean): Action {
  if (status === 200 && isStored) return 'delete';
  if (status === 503 && code === 6001) return 'wait';
  if (status < 400 || status === 408 || status > 499) return 'retry';
  if (status === 429) return limitedAction(code, retryAfter);
  // A proxy's answer says nothing about this request or earlier attempts: one may be stored.
  if (!code) return 'retry';
  if (status === 413) return 'split';
  if (status === 401 && code === 2004) return 'signIn';
  return status === 401 || status === 403 ? 'stop' : 'setAside';
}

function limitedAction(code: number, retryAfter: string | null): Action {
  if (code === 8009) return 'pause';
  return code === 6002 || Number(retryAfter ?? Number.NaN) >= 0 ? 'wait' : 'retry';
}

function rejectedOf({ rejected, rejectedInAll }: Json): number {
  return integerOf(rejectedInAll) || (Array.isArray(rejected) ? rejected.length : 0);
}

function integerOf(value: unknown): number {
  return Number.isInteger(value) ? Number(value) : 0;
}

function secondsOf(value: unknown): number {
  return typeof value === 'number' && value > 0 ? Math.min(value, mostWaitSeconds) : 0;
}
