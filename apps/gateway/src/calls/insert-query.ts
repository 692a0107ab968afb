import type { IncomingMessage } from 'node:http';
import { limits, parameterInvalid, parameterMissing, readDateTime, temporalRange } from '@tickrate/contract';
import { RecentMap } from '@tickrate/platform';

/** The parameters of an insert in its URL and headers. */
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

interface UrlQuery extends Pick<InsertQuery, 'eventType' | 'eventTypeVersion' | 'partial' | 'atomic'> {
  readonly idempotencyKey: string | null;
  readonly clientTime: string | null;
}

const rememberedUrls = 1_000;
const rememberedCharacters = 256;

/** Senders repeat their URLs, so the last ones are not parsed again. */
const urls = new RecentMap<string, UrlQuery>(rememberedUrls);

/** Throws 1003 for an invalid parameter or header. */
export function readInsertQuery({ url = '', headers }: IncomingMessage): InsertQuery {
  const { eventType, eventTypeVersion, partial, atomic, idempotencyKey, clientTime } = readUrl(url);
  return {
    eventType,
    eventTypeVersion,
    partial,
    atomic,
    idempotencyKey: readIdempotencyKey(headers['idempotency-key'] ?? idempotencyKey),
    clientTimeMs: readClientTime(headers['x-client-time'] ?? clientTime),
    sdk: readSdk(headers['x-tickrate-sdk']),
  };
}

function readUrl(url: string): UrlQuery {
  const known = urls.get(url);
  if (known !== undefined) return known;
  const read = readUrlQuery(url);
  const isRepeated = read.idempotencyKey === null && read.clientTime === null;
  if (isRepeated && url.length <= rememberedCharacters) urls.set(url, read);
  return read;
}

function readUrlQuery(url: string): UrlQuery {
  const at = url.indexOf('?');
  const query = new URLSearchParams(at < 0 ? '' : url.slice(at + 1));
  return {
    eventType: readOnce(query, 'eventType'),
    eventTypeVersion: readVersion(readOnce(query, 'eventTypeVersion')),
    partial: readFlag(query, 'partial'),
    atomic: readFlag(query, 'atomic'),
    idempotencyKey: readOnce(query, 'idempotencyKey'),
    clientTime: readOnce(query, 'clientTime'),
  };
}

function readOnce(query: URLSearchParams, name: string): string | null {
  const [value = null, ...others] = query.getAll(name);
  if (others.length > 0) throw parameterInvalid(name, 'given twice');
  return value;
}

export function requiredEventType(query: InsertQuery): string {
  if (query.eventType === null || query.eventType === '') throw parameterMissing('eventType');
  return query.eventType;
}

function readVersion(text: string | null): number | null {
  if (text === null) return null;
  if (!/^[1-9][0-9]{0,4}$/.test(text))
    throw parameterInvalid('eventTypeVersion', 'must be a version number such as 1');
  return Number(text);
}

function readFlag(query: URLSearchParams, name: string): boolean {
  const text = readOnce(query, name);
  if (text === null || text === 'false') return false;
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
  if (header === null) return null;
  const ms = typeof header === 'string' ? clockTime(header) : Number.NaN;
  if (Number.isNaN(ms)) throw parameterInvalid('X-Client-Time', clockTimeRule);
  return ms;
}

/** The formats that `clockTime` accepts, for the error. */
export const clockTimeRule = 'must be RFC 3339 or milliseconds since 1970, from the year 1900 to 2299';

/** RFC 3339, or milliseconds since 1970, in the supported range; NaN for anything else. */
export function clockTime(text: string): number {
  if (/^[0-9]{1,14}$/.test(text)) {
    const ms = Number(text);
    return ms <= temporalRange.latestMs ? ms : Number.NaN;
  }
  const bytes = Buffer.from(text);
  return readDateTime(bytes, 0, bytes.length);
}

const noSdk: InsertQuery['sdk'] = { name: '', version: '' };
const sdkShape = /^([A-Za-z0-9._-]{1,32})\/([A-Za-z0-9._+-]{1,32})$/;

/** For statistics only: an invalid name or version is ignored. */
function readSdk(header: string | string[] | undefined): InsertQuery['sdk'] {
  if (header === undefined) return noSdk;
  const match = typeof header === 'string' ? sdkShape.exec(header) : null;
  return { name: match?.[1] ?? '', version: match?.[2] ?? '' };
}
