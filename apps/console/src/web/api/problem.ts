import type { Reason } from '@tickrate/contract';

/** Where a value of the request is wrong. */
export interface Fault {
  readonly location: string;
  readonly message: string;
}

export interface ProblemParts {
  /** `unreachable`: no server answered. `unexpected`: the answer was none of the catalogue. */
  readonly reason: Reason | 'unreachable' | 'unexpected';
  readonly status: number;
  readonly code?: number | null;
  readonly message: string;
  readonly fields?: string | null;
  readonly data?: Readonly<Record<string, unknown>>;
}

/** Why a call failed, in the one shape that all pages show. */
export class Problem extends Error {
  readonly reason: ProblemParts['reason'];
  readonly status: number;
  readonly code: number | null;
  /** `parameterName: what is wrong with it`. */
  readonly fields: string | null;
  readonly data: Readonly<Record<string, unknown>>;

  constructor(parts: ProblemParts, cause?: unknown) {
    super(parts.message, { cause });
    this.name = 'Problem';
    this.reason = parts.reason;
    this.status = parts.status;
    this.code = parts.code ?? null;
    this.fields = parts.fields ?? null;
    this.data = parts.data ?? {};
  }

  get requestId(): string | null {
    const { requestId } = this.data;
    return typeof requestId === 'string' ? requestId : null;
  }

  get retryAfterSeconds(): number | null {
    const { retryAfterSeconds } = this.data;
    return typeof retryAfterSeconds === 'number' ? retryAfterSeconds : null;
  }

  /** The parameter that is wrong, so that its field shows the problem. */
  get parameterName(): string | null {
    const { parameterName } = this.data;
    return typeof parameterName === 'string' ? parameterName : null;
  }

  get faults(): readonly Fault[] {
    const { queryFailureErrors } = this.data;
    return Array.isArray(queryFailureErrors) ? queryFailureErrors : [];
  }
}

/** The session has ended, or there is none: the user signs in again. */
export function isSignedOut(error: unknown): boolean {
  return error instanceof Problem && error.status === 401 && signedOutReasons.has(error.reason);
}

const signedOutReasons: ReadonlySet<string> = new Set(['apiKeyMissing', 'apiKeyInvalid', 'sessionExpired']);

export function isForbidden(error: unknown): boolean {
  return error instanceof Problem && error.status === 403;
}

/** The question itself: repeated, it is refused again. */
export function isRefused(error: unknown): boolean {
  return isForbidden(error) || (error instanceof Problem && error.reason === 'parameterInvalid');
}

export function isMissing(error: unknown): boolean {
  return error instanceof Problem && error.status === 404;
}

/** A code from a mail or the secret of a link: the catalogue calls both a token. */
export function isWrongCode(error: unknown): boolean {
  return error instanceof Problem && (error.reason === 'tokenInvalid' || error.reason === 'tokenExpired');
}

/** Any error as a problem. One of our own code becomes `unexpected`: its text is never shown. */
export function toProblem(error: unknown): Problem {
  return error instanceof Problem ? error : unexpected(0, error);
}

export function problemOf(status: number, text: string): Problem {
  const body = readJson(text);
  if (typeof body !== 'object' || body === null) return unexpected(status, text);
  const { code, message, fields, data } = body as Readonly<Record<string, unknown>>;
  if (typeof code !== 'number' || typeof message !== 'string' || typeof data !== 'object' || data === null)
    return unexpected(status, text);
  const known = data as Problem['data'];
  return new Problem({
    reason: known['reason'] as Reason,
    status,
    code,
    message,
    fields: typeof fields === 'string' ? fields : null,
    data: known,
  });
}

export function unreachable(cause: unknown): Problem {
  return ownProblem('unreachable', 0, cause);
}

function unexpected(status: number, cause: unknown): Problem {
  return ownProblem('unexpected', status, cause);
}

function ownProblem(reason: 'unreachable' | 'unexpected', status: number, cause: unknown): Problem {
  return new Problem({ reason, status, message: reason }, cause);
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
