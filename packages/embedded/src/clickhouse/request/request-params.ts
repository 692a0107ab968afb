import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { Code, fault } from '../answer/http-fault.ts';
import { isIdentifier } from '../sql/literal.ts';
import type { ExternalTable } from './request-form.ts';

/**
 * The parameters of a request in addition to its SQL. As on a server, the headers for database and format win over the
 * URL, and the URL wins over the header for the query's id.
 */
export interface RequestParams {
  readonly query: string;
  readonly database: string | undefined;
  readonly defaultFormat: string;
  /** Ends a running query with the same id first. */
  readonly replaceRunning: boolean;
  readonly session: SessionParams | undefined;
  readonly settings: ReadonlyMap<string, string>;
  /** As in ClickHouse: values in escaped (TSV) form. */
  readonly parameters: ReadonlyMap<string, string>;
  readonly roles: readonly string[];
  readonly user: string | undefined;
  readonly password: string | undefined;
  readonly waitEndOfQuery: boolean;
  readonly bufferBytes: number | undefined;
}

/** One request for a query and its response. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly params: RequestParams;
  readonly queryId: string;
  readonly tables: readonly ExternalTable[];
  readonly headers: Readonly<Record<string, string>>;
}

export interface SessionParams {
  readonly id: string;
  readonly timeoutS: number;
  readonly mustExist: boolean;
  /** The session ends with this request. */
  readonly close: boolean;
}

const CODINGS = 'use Accept-Encoding and Content-Encoding with gzip, deflate, br or zstd';
const DEFAULT_SESSION_S = 60;
const LONGEST_SESSION_S = 3600;
const OURS = new Set(
  'query database default_format query_id session_id session_timeout session_check user password quota_key compress decompress role wait_end_of_query buffer_size stacktrace client_protocol_version close_session'.split(
    ' ',
  ),
);

export function parseRequestParams(fields: URLSearchParams, headers: IncomingHttpHeaders): RequestParams {
  refuseNativeBlocks(fields);
  const settings = new Map<string, string>();
  const parameters = new Map<string, string>();
  for (const [name, value] of fields) {
    if (OURS.has(name)) continue;
    if (name.startsWith('param_')) parameters.set(parameterName(name.slice(6)), value);
    else settings.set(settingName(name), value);
  }
  return {
    query: fields.get('query') ?? '',
    database: filled(headers['x-clickhouse-database']) ?? filled(fields.get('database')),
    defaultFormat: formatName(filled(headers['x-clickhouse-format']) ?? filled(fields.get('default_format'))),
    replaceRunning: isTrue(settings.get('replace_running_query')),
    session: sessionParams(fields),
    settings,
    parameters,
    roles: fields.getAll('role'),
    user: fields.get('user') ?? undefined,
    password: fields.get('password') ?? undefined,
    waitEndOfQuery: isTrue(fields.get('wait_end_of_query')),
    bufferBytes: wholeNumber(fields.get('buffer_size')),
  };
}

/** ClickHouse's own compressed blocks, instead of a content coding of HTTP. */
function refuseNativeBlocks(fields: URLSearchParams): void {
  for (const name of ['compress', 'decompress'])
    if (isTrue(fields.get(name))) throw fault(Code.notImplemented, `${name}=1 is not supported: ${CODINGS}`);
}

export function queryIdOf(fields: URLSearchParams, headers: IncomingHttpHeaders): string | undefined {
  // The engine reads it up to this character.
  return filled(fields.get('query_id')?.replaceAll('\0', '')) ?? filled(headers['x-clickhouse-query-id']);
}

function sessionParams(fields: URLSearchParams): SessionParams | undefined {
  const id = filled(fields.get('session_id'));
  if (id === undefined) return undefined;
  const asked = fields.get('session_timeout');
  const timeoutS = asked === null ? DEFAULT_SESSION_S : wholeNumber(asked);
  if (timeoutS === undefined) throw fault(Code.invalidSessionTimeout, `Invalid session timeout: '${asked}'`);
  if (timeoutS > LONGEST_SESSION_S) {
    throw fault(
      Code.invalidSessionTimeout,
      `Session timeout '${asked}' is larger than max_session_timeout: ${LONGEST_SESSION_S}`,
    );
  }
  return {
    id,
    timeoutS,
    mustExist: isTrue(fields.get('session_check')),
    close: isTrue(fields.get('close_session')),
  };
}

function settingName(name: string): string {
  if (!isIdentifier(name)) throw fault(Code.unknownSetting, `Unknown setting '${name}'`);
  return name;
}

function parameterName(name: string): string {
  if (!isIdentifier(name)) throw fault(Code.badArguments, `Invalid name of a query parameter: '${name}'`);
  return name;
}

function formatName(name: string | undefined): string {
  if (name !== undefined && !isIdentifier(name)) throw fault(Code.unknownFormat, `Unknown format ${name}`);
  return name ?? 'TabSeparated';
}

export function isTrue(value: string | null | undefined): boolean {
  return value === '1' || value?.toLowerCase() === 'true';
}

function wholeNumber(value: string | null): number | undefined {
  return value !== null && /^\d{1,15}$/.test(value) ? Number(value) : undefined;
}

function filled(value: string | string[] | null | undefined): string | undefined {
  const text = Array.isArray(value) ? value[0] : value;
  return text === null || text === '' ? undefined : text;
}
