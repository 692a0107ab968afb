import type { IncomingMessage } from 'node:http';
import {
  type ExactJson,
  languageTagFormat,
  limits,
  type Operation,
  parameterInvalid,
  parameterMissing,
  parseExactDocument,
  readDateTime,
  readLanguageTag,
  type SystemError,
  systemError,
} from '@tickrate/contract';
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import { readBody } from '../body/read-body.ts';

export interface ReadInput {
  readonly params: never;
  readonly query: never;
  readonly body: never;
  readonly bytes: Buffer;
}

type Request = IncomingMessage & { readonly params: Readonly<Record<string, string | string[]>> };

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const formats = {
  'date-time': (text: string) => {
    const bytes = Buffer.from(text);
    return !Number.isNaN(readDateTime(bytes, 0, bytes.byteLength));
  },
  uuid: (text: string) => uuid.test(text),
  [languageTagFormat]: (text: string) => readLanguageTag(text) !== null,
};
const common = { strict: false, formats, useDefaults: true } as const;
// Values in a URL are text. They are converted to the types of the schema.
const urlSchemas = new Ajv({ ...common, coerceTypes: true });
const bodySchemas = new Ajv(common);

/**
 * Reads what a request says for an operation. Rejects with 1001 to 1005 and 1008, naming the parameter. Schemas are
 * compiled when they are first used.
 */
export function createOperationReader(operation: Operation): (request: Request) => Promise<ReadInput> {
  const checkParams = operation.params && lazily(urlSchemas, operation.params);
  const checkQuery = lazily(urlSchemas, operation.query ?? { type: 'object', additionalProperties: false });
  const checkBody = operation.body && lazily(bodySchemas, operation.body);
  const bodyLimits = {
    limitBytes: operation.bodyBytes ?? limits.sessionBodyBytes,
    ...(operation.bodyTypes && { types: operation.bodyTypes }),
  };
  return async (request) => {
    const params: Record<string, unknown> = { ...request.params };
    const query = readQuery(request.url ?? '');
    if (checkParams) checkParams(params);
    checkQuery(query);
    checkPlainText({ ...params, ...query });
    const bytes = checkBody ? await readBody(request, bodyLimits) : Buffer.alloc(0);
    const body = checkBody && readJson(bytes, operation);
    if (!operation.anyText && bytes.includes(escapedNul)) checkPlainText(body);
    if (checkBody && body !== undefined) checkBody(body);
    return { params, query, body, bytes } as ReadInput;
  };
}

type Check = (value: unknown) => void;

function lazily(schemas: Ajv, schema: object): Check {
  let validate: ValidateFunction | null = null;
  return (value) => {
    validate ??= schemas.compile(schema);
    if (!validate(value)) throw faultOf(validate.errors ?? []);
  };
}

function readQuery(url: string): Record<string, unknown> {
  const at = url.indexOf('?');
  const given = new Map<string, string>();
  for (const [name, value] of at === -1 ? [] : new URLSearchParams(url.slice(at + 1))) {
    if (given.has(name)) throw parameterInvalid(name, 'given twice');
    given.set(name, value);
  }
  return Object.fromEntries(given);
}

function readJson(bytes: Buffer, { bodyOptional }: Operation): unknown {
  if (bytes.byteLength === 0 && bodyOptional) return undefined;
  return plain(parseExactDocument(bytes));
}

const escapedNul = '\\u0000';

/** Throws 1003 for a text with U+0000, which PostgreSQL keeps in no text: not of an object, and not in the audit trail. */
function checkPlainText(value: unknown, place = ''): void {
  if (typeof value === 'string' && value.includes('\0')) {
    throw parameterInvalid(place === '' ? 'body' : place, 'not plain text');
  }
  if (typeof value !== 'object' || value === null) return;
  for (const [name, member] of Object.entries(value)) {
    const within = place === '' ? name : `${place}.${name}`;
    if (name.includes('\0')) throw parameterInvalid(place === '' ? 'body' : place, 'not plain text');
    checkPlainText(member, within);
  }
}

/** As `JSON.parse` gives it; what would be a trap there has been refused. */
function plain(value: ExactJson): unknown {
  if (value instanceof Map)
    return Object.fromEntries(Array.from(value, ([name, member]) => [name, plain(member)]));
  if (Array.isArray(value)) return value.map(plain);
  return typeof value === 'bigint' ? Number(value) : value;
}

function faultOf(errors: readonly ErrorObject[]): SystemError {
  const [error] = errors;
  const within = (error?.instancePath ?? '').slice(1).replaceAll('/', '.');
  const named = (name: string) => (within === '' ? name : `${within}.${name}`);
  if (error?.keyword === 'required') return parameterMissing(named(String(error.params['missingProperty'])));
  if (error?.keyword === 'additionalProperties') {
    return parameterInvalid(named(String(error.params['additionalProperty'])), 'unknown');
  }
  if (within === '' && error?.keyword === 'type') {
    return systemError('bodyTypeInvalid', {}, { fields: `the body ${error.message}` });
  }
  return parameterInvalid(within === '' ? 'body' : within, messageOf(error));
}

function messageOf(error: ErrorObject | undefined): string {
  const allowed: unknown = error?.params['allowedValues'];
  return Array.isArray(allowed) ? `not one of ${allowed.join(', ')}` : (error?.message ?? 'not valid');
}
