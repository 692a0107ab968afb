import { Ajv2020, type ErrorObject, type Options, type ValidateFunction } from 'ajv/dist/2020.js';
import type { Static, TSchema } from 'typebox';
import { uuidShape } from '../ids/uuid-v7.ts';
import { languageTagFormat, readLanguageTag } from '../language-tag.ts';
import { reorderingFault, shownTextFormat } from '../printable.ts';
import { parameterInvalid, parameterMissing, type SystemError, systemError } from '../system-error.ts';
import { readDateTime } from '../temporal.ts';

/** The first difference between a value and its schema. It never contains the value. */
export interface SchemaFault {
  readonly kind: 'missing' | 'unknown' | 'type' | 'invalid';
  /** The member, as in `roles.tester.scopes.0`; empty for the value itself. */
  readonly place: string;
  readonly message: string;
}

export interface SchemaCheck<S extends TSchema> {
  /** Null for a value that the schema accepts. */
  fault(value: unknown): SchemaFault | null;
  accepts(value: unknown): value is Static<S>;
}

/**
 * How a value is read. `url` converts texts to the numbers and booleans of the schema, and sets defaults: a number has
 * one form, so `1e0` and `01` are none. `body` sets defaults. Both change the value. `plain` changes nothing.
 */
export type SchemaReading = 'plain' | 'body' | 'url';

const optionsOf: Readonly<Record<SchemaReading, Options>> = {
  plain: {},
  body: { useDefaults: true },
  url: { useDefaults: true, coerceTypes: true },
};
const formats = {
  'date-time': (text: string) => {
    const bytes = Buffer.from(text);
    return !Number.isNaN(readDateTime(bytes, 0, bytes.byteLength));
  },
  uuid: (text: string) => uuidShape.test(text),
  [languageTagFormat]: (text: string) => readLanguageTag(text) !== null,
  [shownTextFormat]: (text: string) => reorderingFault(text) === null,
};
// The dialect of OpenAPI 3.1, so that a check and the document mean the same.
const compilers = new Map<SchemaReading, Ajv2020>();

/** Every check of a value against a schema. It compiles the schema on first use, so that a start stays short. */
export function createSchemaCheck<S extends TSchema>(
  schema: S,
  reading: SchemaReading = 'plain',
): SchemaCheck<S> {
  let validate: ValidateFunction | null = null;
  const fault = (value: unknown) => {
    validate ??= compilerOf(reading).compile(schema);
    const texts = reading === 'url' ? Object.entries(value ?? {}) : [];
    return validate(value) ? oddNumber(texts, value) : faultOf(validate.errors?.[0]);
  };
  return { fault, accepts: (value): value is Static<S> => fault(value) === null };
}

/** The first text that was read as a number and is not that number as it is usually written. */
function oddNumber(texts: readonly (readonly [string, unknown])[], value: unknown): SchemaFault | null {
  const read = new Map(Object.entries(value ?? {}));
  for (const [place, text] of texts) {
    const number: unknown = read.get(place);
    if (typeof number === 'number' && text !== String(number))
      return { kind: 'type', place, message: 'must be a number in its shortest decimal form, such as 12' };
  }
  return null;
}

/** The refusal of a fault. `root` names the value in front of the place. */
export function schemaRefusal({ kind, place, message }: SchemaFault, root = ''): SystemError {
  if (root === '' && place === '' && kind === 'type') {
    return systemError('bodyTypeInvalid', {}, { fields: `the body ${message}` });
  }
  const name = [root, place].filter((part) => part !== '').join('.') || 'body';
  return kind === 'missing' ? parameterMissing(name) : parameterInvalid(name, message);
}

function compilerOf(reading: SchemaReading): Ajv2020 {
  const known = compilers.get(reading);
  if (known) return known;
  const compiler = new Ajv2020({ strict: false, formats, ...optionsOf[reading] });
  compilers.set(reading, compiler);
  return compiler;
}

const sentences: Readonly<Record<string, string>> = {
  [shownTextFormat]: 'contains a character that changes the order of the text around it',
  'date-time': 'must be an RFC 3339 time from 1900 to 2299, the range that can be stored',
};

function faultOf(error: ErrorObject | undefined): SchemaFault {
  const place = (error?.instancePath ?? '').slice(1).replaceAll('/', '.');
  const at = (name: unknown) => (place === '' ? String(name) : `${place}.${String(name)}`);
  if (error?.keyword === 'required' || error?.keyword === 'dependentRequired')
    return { kind: 'missing', place: at(error.params['missingProperty']), message: 'missing' };
  if (error?.keyword === 'additionalProperties')
    return { kind: 'unknown', place: at(error.params['additionalProperty']), message: 'unknown' };
  const allowed: unknown = error?.params['allowedValues'];
  const message = Array.isArray(allowed)
    ? `not one of ${allowed.join(', ')}`
    : (sentences[String(error?.params['format'])] ?? error?.message);
  return {
    kind: error?.keyword === 'type' ? 'type' : 'invalid',
    place,
    message: message ?? 'not valid',
  };
}
