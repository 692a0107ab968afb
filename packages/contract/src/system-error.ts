import { type CatalogueEntry, errorCatalogue, type Reason } from './error-catalogue.ts';
import type { ProblemBody, SystemErrorBody } from './event-api.ts';

export type ErrorData = Readonly<Record<string, unknown>>;

interface ErrorOptions {
  readonly message?: string;
  readonly fields?: string;
  readonly cause?: unknown;
}

/** A failure that the client receives. It is the only exception that the HTTP edge sends unchanged. */
export class SystemError extends Error {
  readonly reason: Reason;
  readonly code: number;
  readonly status: number;
  readonly fields: string | null;
  readonly data: ErrorData;

  constructor(reason: Reason, data: ErrorData, options: ErrorOptions) {
    const entry: CatalogueEntry = errorCatalogue[reason];
    super(options.message ?? entry.message, { cause: options.cause });
    this.name = 'SystemError';
    this.reason = reason;
    this.code = entry.code;
    this.status = entry.status;
    this.fields = options.fields ?? null;
    this.data = data;
  }
}

export function systemError(reason: Reason, data: ErrorData = {}, options: ErrorOptions = {}): SystemError {
  return new SystemError(reason, data, options);
}

/** Error 3001: no such object, or none that the caller may know of. */
export function objectNotFound(objectType: string, invalidIdentifier: string): SystemError {
  return systemError('objectNotFound', { objectType, invalidIdentifier });
}

/** Error 1003 with a message that names the parameter. */
export function parameterInvalid(name: string, invalidReason: string): SystemError {
  return parameterFault(name, false, invalidReason);
}

export function parameterMissing(name: string): SystemError {
  return parameterFault(name, true, 'missing');
}

/** Throws 2007 unless the key may be used from the `Origin` of a request. `origins` is null for a key of every page. */
export function requireOrigin(origins: readonly string[] | null, origin: string | undefined): void {
  if (origins === null || origin === undefined || origins.includes(origin)) return;
  const fields = `Origin: '${origin.slice(0, 200)}' is not a web origin of this key; add it in the console, Settings, API keys, or with PATCH /v1/keys/{keyId}`;
  throw systemError('originNotAllowed', {}, { fields });
}

function parameterFault(
  parameterName: string,
  parameterIsMissing: boolean,
  parameterInvalidReason: string,
): SystemError {
  return systemError(
    'parameterInvalid',
    { parameterName, parameterIsMissing, parameterInvalidReason },
    {
      message: `The parameter '${parameterName}' is missing or invalid`,
      fields: `${parameterName}: ${parameterInvalidReason}`,
    },
  );
}

export function systemErrorBody(error: SystemError, requestId: string): SystemErrorBody {
  return {
    code: error.code,
    message: error.message,
    fields: error.fields,
    data: { ...error.data, requestId, reason: error.reason },
  };
}

/** The same error as `application/problem+json`. */
export function problemBody(error: SystemError, requestId: string): ProblemBody {
  const title: string = errorCatalogue[error.reason].message;
  return {
    type: `urn:tickrate:error:${error.reason}`,
    title,
    status: error.status,
    detail: error.message,
    instance: `urn:tickrate:request:${requestId}`,
    ...systemErrorBody(error, requestId),
  };
}
