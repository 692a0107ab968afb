import type { IncomingMessage } from 'node:http';
import {
  closedObject,
  createSchemaCheck,
  type ExactJson,
  limits,
  type Operation,
  parameterInvalid,
  parseExactDocument,
  type SchemaReading,
  schemaRefusal,
} from '@tickrate/contract';
import type { TSchema } from 'typebox';
import { readBody } from '../body/read-body.ts';
import { createLenientBodyReader, type LenientReading } from './lenient-body.ts';
import { checkPlainText } from './plain-text.ts';

export interface ReadInput {
  readonly params: never;
  readonly query: never;
  readonly body: never;
  readonly bytes: Buffer;
  readonly unknownMembers: readonly string[];
}

type Request = IncomingMessage & { readonly params: Readonly<Record<string, string | string[]>> };

/**
 * Reads what a request says for an operation. Rejects with 1001 to 1005, 1008 and 1009, naming the parameter. Schemas are
 * compiled when they are first used.
 */
export function createOperationReader(
  operation: Operation,
  lenient: LenientReading | null = null,
): (request: Request) => Promise<ReadInput> {
  return lenient === null ? createStrictReader(operation) : createLenientReader(operation, lenient);
}

/** Ignores the query, and passes the parameters of the path as they are. */
function createLenientReader(operation: Operation, lenient: LenientReading) {
  const readMembers = operation.body && createLenientBodyReader(operation, operation.body, lenient);
  const limitBytes = operation.bodyBytes ?? limits.sessionBodyBytes;
  return async (request: Request): Promise<ReadInput> => {
    const params = { ...request.params };
    checkPlainText(params);
    const bytes = readMembers ? await readBody(request, { limitBytes }) : Buffer.alloc(0);
    const input = readMembers ? readMembers(bytes) : { body: undefined, unknownMembers: [] };
    return { ...input, params, query: undefined, bytes } as ReadInput;
  };
}

function createStrictReader(operation: Operation): (request: Request) => Promise<ReadInput> {
  const checkParams = operation.params && createCheck(operation.params, 'url');
  const checkQuery = createCheck(operation.query ?? nothing, 'url');
  const checkBody = operation.body && createCheck(operation.body, 'body');
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
    return { params, query, body, bytes, unknownMembers: noMembers } as ReadInput;
  };
}

const noMembers: ReadInput['unknownMembers'] = [];
const nothing = closedObject({});

function createCheck(schema: TSchema, reading: SchemaReading): (value: unknown) => void {
  const check = createSchemaCheck(schema, reading);
  return (value) => {
    const fault = check.fault(value);
    if (fault !== null) throw schemaRefusal(fault);
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

/** As `JSON.parse` gives it; what would be a trap there has been refused. */
function plain(value: ExactJson): unknown {
  if (value instanceof Map)
    return Object.fromEntries(Array.from(value, ([name, member]) => [name, plain(member)]));
  if (Array.isArray(value)) return value.map(plain);
  return typeof value === 'bigint' ? Number(value) : value;
}
