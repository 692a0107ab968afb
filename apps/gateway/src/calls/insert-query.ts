import type { IncomingMessage } from 'node:http';
import { limits, parameterInvalid, parameterMissing, readDateTime, temporalRange } from '@tickrate/contract';

/** What the URL and the headers of an insert say. */
export interface InsertQuery {
  readonly eventType: string | null;
  /** Null means the newest available version. */
  readonly eventTypeVersion: number | null;
  readonly partial: boolean;
  readonly atomic: boolean;
  readonly idempotencyKey: string | null;
  readonly clientTimeMs: number | null;
  readonly sdk: { readonly name: string; readonly version: string };
}

/** Throws 1003 for a parameter or header that is not as it should be. */
export function readInsertQuery(request: IncomingMessage): InsertQuery {
  const url = request.url ?? '';
  const at = url.indexOf('?');
  const query = new URLSearchParams(at < 0 ? '' : url.slice(at + 1));
  return {
    eventType: query.get('eventType'),
    eventTypeVersion: readVersion(query.get('eventTypeVersion')),
    partial: readFlag(query, 'partial'),
    atomic: readFlag(query, 'atomic'),
    idempotencyKey: readIdempotencyKey(request.headers['idempotency-key'] ?? query.get('idempotencyKey')),
    clientTimeMs: readClientTime(request.headers['x-client-time'] ?? query.get('clientTime')),
    sdk: readSdk(request.headers['x-tickrate-sdk']),
  };
}

export function requiredEventType(query: InsertQuery): string {
  if (query.eventType === null || query.eventType === '') throw parameterMissing('eventType');
  return query.eventType;
}

function readVersion(text: string | null): number | null {
  if (text === null || text === '') return null;
  if (!/^[1-9][0-9]{0,4}$/.test(text))
    throw parameterInvalid('eventTypeVersion', 'must be a version number such as 1');
  return Number(text);
}

function readFlag(query: URLSearchParams, name: string): boolean {
  const text = query.get(name);
  if (text === null || text === '' || text === 'false') return false;
  if (text === 'true') return true;
  throw parameterInvalid(name, 'must be true or false');
}

const visible = new RegExp(`^[\\x21-\\x7e]{1,${limits.idempotencyKeyCharacters}}$`);

/** `sendBeacon` cannot set headers, so both may also be in the query. The header takes precedence. */
function readIdempotencyKey(header: string | string[] | null): string | null {
  if (header === null) return null;
  if (typeof header === 'string' && visible.test(header)) return header;
  throw parameterInvalid(
    'Idempotency-Key',
    `must be 1 to ${limits.idempotencyKeyCharacters} visible characters`,
  );
}

function readClientTime(header: string | string[] | null): number | null {
  if (header === null || header === '') return null;
  const ms = typeof header === 'string' ? clockTime(header) : Number.NaN;
  if (Number.isNaN(ms)) throw parameterInvalid('X-Client-Time', clockTimeRule);
  return ms;
}

/** What `clockTime` accepts, as an error says it. */
export const clockTimeRule = 'must be RFC 3339 or milliseconds since 1970, from the year 1900 to 2299';

/** RFC 3339, or milliseconds since 1970, in the range that can be stored; NaN for anything else. */
export function clockTime(text: string): number {
  if (/^[0-9]{1,14}$/.test(text)) {
    const ms = Number(text);
    return ms <= temporalRange.latestMs ? ms : Number.NaN;
  }
  const bytes = Buffer.from(text);
  return readDateTime(bytes, 0, bytes.length);
}

const sdkShape = /^([A-Za-z0-9._-]{1,32})\/([A-Za-z0-9._+-]{1,32})$/;

/** Statistics only: what is not a sane name and version is not worth a refusal. */
function readSdk(header: string | string[] | undefined): InsertQuery['sdk'] {
  const match = typeof header === 'string' ? sdkShape.exec(header) : null;
  return { name: match?.[1] ?? '', version: match?.[2] ?? '' };
}
