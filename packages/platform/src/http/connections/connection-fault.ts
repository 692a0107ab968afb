import { STATUS_CODES } from 'node:http';
import { parameterInvalid, type SystemError, systemError, systemErrorBody } from '@tickrate/contract';
import { safeHeaders } from '../answers/safe-headers.ts';
import type { ConnectionFault } from '../events.ts';

/** What an error of Node means for the caller of the connection. */
export function translateFault(error: Error): {
  readonly kind: ConnectionFault;
  readonly fault: SystemError;
} {
  const code = 'code' in error ? error.code : undefined;
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return { kind: 'headersTooLarge', fault: parameterInvalid('headers', 'tooLong') };
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return { kind: 'malformed', fault: parameterInvalid('Transfer-Encoding', 'tooLong') };
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return { kind: 'timeout', fault: systemError('requestTimeout') };
    case 'HPE_INVALID_EOF_STATE':
      return { kind: 'truncated', fault: systemError('requestTimeout') };
    case 'ECONNRESET':
    case 'EPIPE':
      return { kind: 'reset', fault: systemError('requestTimeout') };
    default:
      return { kind: 'malformed', fault: parameterInvalid('request', 'malformedHttp') };
  }
}

const safe = safeHeaders(false, false);
const safeLines = safe.flatMap((name, at) => (at % 2 === 0 ? [`${name}: ${safe[at + 1]}`] : []));

/** An answer for a connection on which no request could be read. */
export function bareAnswer(fault: SystemError, requestId: string): string {
  const body = JSON.stringify(systemErrorBody(fault, requestId));
  const { retryAfterSeconds } = fault.data;
  return [
    `HTTP/1.1 ${fault.status} ${STATUS_CODES[fault.status] ?? ''}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${requestId}`,
    'Cache-Control: no-store',
    ...safeLines,
    ...(typeof retryAfterSeconds === 'number' ? [`Retry-After: ${retryAfterSeconds}`] : []),
    'Connection: close',
    '',
    body,
  ].join('\r\n');
}
