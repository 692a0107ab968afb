import type { TSchema } from 'typebox';
import { type CatalogueEntry, errorCatalogue, type Reason } from '../error-catalogue.ts';
import { problemSchema, systemErrorSchema } from '../event-api.ts';
import type { Operation, OperationExample } from './operation.ts';

export interface ApiDescription {
  readonly title: string;
  /** The version in the paths: `v1`. */
  readonly version: string;
  readonly description: string;
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  /** Schemas that the document defines under a name. Every use of the same object refers to that definition. */
  readonly schemas: Readonly<Record<string, TSchema>>;
  readonly operations: readonly Operation[];
  /** Other path prefixes that serve the same calls. */
  readonly aliases?: readonly { readonly path: string; readonly of: string }[];
}

export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [name: string]: Json;
}

/** Creates the OpenAPI 3.1 document of an API. It is plain JSON and deterministic. */
export function createOpenApiDocument(api: ApiDescription): JsonObject {
  const schemas = { ...api.schemas, SystemError: systemErrorSchema, Problem: problemSchema };
  const write = createSchemaWriter(schemas);
  const byPath = Map.groupBy(api.operations, ({ path }) => path);
  const methodsOf = (operations: readonly Operation[]) =>
    operations.map((operation) => [operation.method.toLowerCase(), describeOperation(operation, write)]);
  return {
    openapi: '3.1.1',
    info: {
      title: api.title,
      version: api.version,
      description: api.description,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    ...(api.aliases && { 'x-tickrate-aliases': plain(api.aliases) }),
    tags: plain(api.tags),
    security: [{ apiKey: [] }, { bearer: [] }],
    paths: Object.fromEntries(
      Array.from(byPath, ([path, operations]) => [path, Object.fromEntries(methodsOf(operations))]),
    ),
    components: {
      securitySchemes: {
        apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
        bearer: { type: 'http', scheme: 'bearer' },
      },
      schemas: Object.fromEntries(
        Object.entries(schemas).map(([name, schema]) => [name, write.definition(schema)]),
      ),
    },
  };
}

interface SchemaWriter {
  /** The schema at the place where it is used. */
  use(schema: unknown): Json;
  /** The schema at the place where it is defined. */
  definition(schema: unknown): Json;
}

function createSchemaWriter(schemas: Readonly<Record<string, TSchema>>): SchemaWriter {
  const names = new Map<unknown, string>(Object.entries(schemas).map(([name, schema]) => [schema, name]));
  const use = (schema: unknown): Json => {
    const name = names.get(schema);
    return name === undefined ? definition(schema) : { $ref: `#/components/schemas/${name}` };
  };
  const definition = (schema: unknown): Json => {
    if (Array.isArray(schema)) return schema.map(use);
    if (typeof schema !== 'object' || schema === null) return plain(schema);
    return Object.fromEntries(Object.entries(schema).map(([name, member]) => [name, use(member)]));
  };
  return { use, definition };
}

function describeOperation(operation: Operation, write: SchemaWriter): Json {
  const { id, tag, summary, keys, scope } = operation;
  const parameters = (['params', 'query', 'headers'] as const).flatMap((place) =>
    describeParameters(operation, place, write),
  );
  return {
    operationId: id,
    tags: [tag],
    summary,
    description: descriptionOf(operation),
    ...(keys.length === 0 && { security: [] }),
    ...(scope !== undefined && { 'x-tickrate-scope': scope }),
    'x-tickrate-keys': keys,
    ...(parameters.length > 0 && { parameters }),
    ...(operation.body && { requestBody: describeBody(operation, write) }),
    responses: { '200': describeAnswer(operation, write), ...describeRefusals(refusalsOf(operation)) },
  };
}

function descriptionOf({ description, keys, scope }: Operation): string {
  const who = keys.length === 0 ? 'No key is required.' : `Keys: ${keys.join(', ')}.`;
  const permitted = scope === undefined ? '' : ` Scope: \`${scope}\`.`;
  return [description, who + permitted].filter((part) => part !== undefined).join('\n\n');
}

const placeNames = { params: 'path', query: 'query', headers: 'header' } as const;

function describeParameters(
  operation: Operation,
  place: 'params' | 'query' | 'headers',
  write: SchemaWriter,
): Json[] {
  const schema = operation[place];
  if (schema === undefined) return [];
  const required = new Set(schema.required);
  return Object.entries(schema.properties).map(([name, member]) => {
    const examples = operation.examples.flatMap((example) => {
      const value: unknown = example[place]?.[name];
      return value === undefined ? [] : [[example.name, { value: plain(value) }] as const];
    });
    return {
      name,
      in: placeNames[place],
      required: place === 'params' || required.has(name),
      ...descriptionIn(member),
      schema: write.use(member),
      ...(examples.length > 0 && { examples: Object.fromEntries(examples) }),
    };
  });
}

function descriptionIn(schema: object): JsonObject {
  return 'description' in schema && typeof schema.description === 'string'
    ? { description: schema.description }
    : {};
}

function describeBody(operation: Operation, write: SchemaWriter): Json {
  const { body, bodyTypes = ['application/json'], examples } = operation;
  return {
    required: operation.bodyOptional !== true,
    content: contentOf(bodyTypes, write.use(body), bodiesOf(examples, 'body')),
  };
}

function describeAnswer(operation: Operation, write: SchemaWriter): Json {
  const { answer, answerTypes = ['application/json'], examples } = operation;
  return {
    description: 'Done',
    content: contentOf(answerTypes, write.use(answer), bodiesOf(examples, 'answer')),
  };
}

function bodiesOf(examples: readonly OperationExample[], part: 'body' | 'answer'): JsonObject {
  return Object.fromEntries(
    examples.flatMap((example) =>
      example[part] === undefined ? [] : [[example.name, { value: plain(example[part]) }] as const],
    ),
  );
}

function contentOf(types: readonly string[], schema: Json, examples: JsonObject): JsonObject {
  const shown = Object.keys(examples).length > 0 ? { examples } : {};
  return Object.fromEntries(
    types.map((type, index) => [type, { schema: schemaFor(type, schema), ...(index === 0 && shown) }]),
  );
}

/** A value that is not JSON is described as text. */
function schemaFor(type: string, schema: Json): Json {
  if (type === 'application/json') return schema;
  if (type === 'text/plain') {
    return { type: 'string', contentMediaType: 'application/json', contentSchema: schema };
  }
  const isNdjson = type === 'application/x-ndjson';
  return {
    type: 'string',
    contentMediaType: type,
    ...(isNdjson && { description: 'One JSON value per line, each an element of the array' }),
  };
}

const refusalContent = {
  'application/json': { schema: { $ref: '#/components/schemas/SystemError' } },
  'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } },
};

/** Errors grouped by status, because several reasons share one. */
function describeRefusals(reasons: readonly Reason[]): JsonObject {
  const groups = Map.groupBy(reasons, (reason) => String(errorCatalogue[reason].status));
  return Object.fromEntries(
    Array.from(groups, ([status, group]) => [
      status,
      {
        description: group.map((reason) => `- ${sentenceOf(reason)}`).join('\n'),
        'x-tickrate-reasons': group,
        content: refusalContent,
      },
    ]),
  );
}

function sentenceOf(reason: Reason): string {
  const { code, message }: CatalogueEntry = errorCatalogue[reason];
  return `${code} ${reason}: ${message}`;
}

function plain(value: unknown): Json {
  return JSON.parse(JSON.stringify(value)) as Json;
}

const always: readonly Reason[] = [
  'parameterInvalid',
  'requestTimeout',
  'temporarilyUnavailable',
  'internalException',
];
const withBody: readonly Reason[] = [
  'malformedJson',
  'bodyTypeInvalid',
  'bodyTooLarge',
  'contentTypeInvalid',
  'bodyNotDecodable',
];
const withKey: readonly Reason[] = [
  'apiKeyMissing',
  'apiKeyInvalid',
  'apiKeyKindNotPermitted',
  'originNotAllowed',
  'sessionExpired',
  'rateLimited',
];

/** Every error of a call, in the order of the catalogue's codes. */
function refusalsOf(operation: Operation): readonly Reason[] {
  const reasons = new Set<Reason>([
    ...always,
    ...(operation.body ? withBody : []),
    ...(operation.keys.length > 0 ? withKey : []),
    ...(operation.scope === undefined ? [] : (['apiKeyScopeMissing'] as const)),
    ...(operation.refusals ?? []),
  ]);
  return [...reasons].toSorted((a, b) => errorCatalogue[a].code - errorCatalogue[b].code);
}
