import { DeclarationBudget, type Spent } from '../cost/declaration-budget.ts';
import type { ArrayShape, MapShape, Member, ObjectShape, Shape } from '../shape.ts';
import {
  type DeclarationFault,
  type DeclaredPattern,
  documentFault,
  escapePointer,
  fault,
  inside,
  type Place,
} from './declaration-faults.ts';
import { KnownDefinitions } from './known-definitions.ts';
import { annotationKeywords, checkPersonalTime, readAnnotations } from './read-annotations.ts';
import {
  type Head,
  type Keywords,
  readBoolean,
  readCount,
  readInteger,
  readNumber,
  readString,
} from './read-scalar.ts';

const declarationLimits = { properties: 500, depth: 8, bytes: 128 * 1024 } as const;
/** References that are read within one another. */
const openAtMost = 32;

const memberName = /^[A-Za-z_][A-Za-z0-9_]{0,63}$/;
const traps = new Set(['__proto__', 'constructor', 'prototype']);
const scalarKeywords = ['type', 'enum', 'const', ...annotationKeywords];
const rangeKeywords = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf', 'format'];
const keywordsOf: Readonly<Record<string, ReadonlySet<string>>> = {
  object: new Set(['type', 'properties', 'required', 'additionalProperties', ...annotationKeywords]),
  array: new Set(['type', 'items', 'minItems', 'maxItems', ...annotationKeywords]),
  string: new Set([...scalarKeywords, 'minLength', 'maxLength', 'pattern', 'format']),
  integer: new Set([...scalarKeywords, ...rangeKeywords]),
  number: new Set([...scalarKeywords, ...rangeKeywords.filter((keyword) => keyword !== 'format')]),
  boolean: new Set(scalarKeywords),
};
const draft = 'https://json-schema.org/draft/2020-12/schema';

interface Reading {
  readonly definitions: Keywords;
  readonly open: readonly string[];
  readonly counts: { properties: number; occurredAt: number };
  readonly budget: DeclarationBudget;
  readonly known: KnownDefinitions;
  /** Within items and map values there is no place for a null list or record, and no time of the event. */
  readonly repeated: boolean;
}

/** Reads a JSON Schema document in the profile of event declarations into its shape, or returns every fault. */
export function readDeclaration(document: unknown): {
  shape: ObjectShape | null;
  faults: DeclarationFault[];
  patterns: readonly DeclaredPattern[];
  spent: Spent;
} {
  const faults: DeclarationFault[] = [];
  const patterns = new Map<string, DeclaredPattern>();
  const root: Place = { pointer: '', depth: 1, faults, patterns, lists: new WeakMap() };
  const budget = new DeclarationBudget();
  const refused = { shape: null, faults, patterns: [], spent: budget.spent };
  if (!isRecord(document)) {
    fault(root, '', 'a declaration must be a JSON object');
    return refused;
  }
  const whole = documentFault(document, declarationLimits.bytes);
  if (whole !== null) {
    fault(root, '', whole);
    return refused;
  }
  const { $schema, $defs, ...schema } = document;
  if ($schema !== undefined && $schema !== draft) fault(root, '$schema', `must be ${draft}`);
  if ($defs !== undefined && !isRecord($defs)) fault(root, '$defs', 'must be an object');
  const counts = { properties: 0, occurredAt: 0 };
  const definitions = isRecord($defs) ? $defs : {};
  const known = new KnownDefinitions(budget, declarationLimits);
  const reading: Reading = { definitions, open: [], counts, budget, known, repeated: false };
  const shape = readShape(schema, root, reading);
  if (shape !== null && (shape.kind !== 'object' || shape.nullable))
    fault(root, 'type', 'an event must be an object');
  checkPersonalTime(shape, root);
  checkUnusedDefinitions(reading, root);
  if (counts.properties > declarationLimits.properties) {
    fault(root, 'properties', `at most ${declarationLimits.properties} properties are stored`);
  }
  const accepted = faults.length === 0 && shape?.kind === 'object' ? shape : null;
  return { shape: accepted, faults, patterns: [...patterns.values()], spent: budget.spent };
}

function readShape(schema: unknown, place: Place, reading: Reading): Shape | null {
  if (!isRecord(schema)) {
    fault(place, '', 'a schema must be an object');
    return null;
  }
  if (!reading.budget.takeSchema(schema, place)) return null;
  if (place.depth > declarationLimits.depth + 1) {
    fault(place, '', `nested deeper than ${declarationLimits.depth}`);
    return null;
  }
  if ('$ref' in schema) return readReference(schema, place, reading);
  const type = readType(schema['type'], place);
  if (type === null) return null;
  for (const keyword of Object.keys(schema)) {
    if (!keywordsOf[type.name]?.has(keyword))
      fault(place, keyword, `is not part of the profile for ${type.name}`);
  }
  const annotations = readAnnotations(schema, place, reading.counts);
  if (
    annotations.occurredAt &&
    (type.name !== 'string' || schema['format'] !== 'date-time' || reading.repeated)
  ) {
    fault(place, 'x-occurred-at', 'belongs to one date-time member outside lists and maps');
  }
  return readTyped(schema, place, {
    type: type.name,
    reading,
    head: { nullable: type.nullable && allowsNull(schema), annotations },
  });
}

/** As in JSON Schema, a list of values without null rejects null, even if the type allows it. */
function allowsNull(schema: Keywords): boolean {
  const list = schema['enum'];
  if (Array.isArray(list)) return list.includes(null);
  return !('const' in schema) || schema['const'] === null;
}

function readTyped(
  schema: Keywords,
  place: Place,
  { type, reading, head }: { type: string; reading: Reading; head: Head },
): Shape | null {
  if (reading.repeated && head.nullable && (type === 'object' || type === 'array')) {
    fault(place, 'type', 'a list or an object within a list or a map cannot be null: it has no stored form');
  }
  switch (type) {
    case 'object':
      return readObject(schema, place, { reading, head });
    case 'array':
      return readArray(schema, place, { reading, head });
    case 'string':
      return readString(schema, place, head);
    case 'integer':
      return readInteger(schema, place, head);
    case 'number':
      return readNumber(schema, place, head);
    default:
      return readBoolean(schema, place, head);
  }
}

function readReference(schema: Keywords, place: Place, reading: Reading): Shape | null {
  const reference = schema['$ref'];
  const name = typeof reference === 'string' ? /^#\/\$defs\/([^/]+)$/.exec(reference)?.[1] : undefined;
  const target = name?.replaceAll('~1', '/').replaceAll('~0', '~');
  for (const keyword of Object.keys(schema)) {
    if (keyword !== '$ref' && !annotationKeywords.includes(keyword)) {
      fault(place, keyword, 'cannot be combined with $ref');
    }
  }
  if (target === undefined || !Object.hasOwn(reading.definitions, target)) {
    fault(place, '$ref', 'must name a definition: #/$defs/<name>');
    return null;
  }
  if (reading.open.includes(target)) {
    fault(place, '$ref', 'refers to itself: an event has no recursive form');
    return null;
  }
  if (reading.open.length === openAtMost) {
    fault(place, '$ref', `at most ${openAtMost} references in a row`);
    return null;
  }
  const definition = reading.definitions[target];
  const inDefinition = { ...reading, open: [...reading.open, target] };
  const annotations = withoutReference(schema);
  if (isRecord(definition) && Object.keys(annotations).length > 0) {
    return readShape({ ...definition, ...annotations }, place, inDefinition);
  }
  return reading.known.read({ name: target, place, ...reading }, () =>
    readShape(definition, place, inDefinition),
  );
}

function withoutReference(schema: Keywords): Keywords {
  return Object.fromEntries(Object.entries(schema).filter(([keyword]) => keyword !== '$ref'));
}

/** A definition without references is read once to report its faults. */
function checkUnusedDefinitions(reading: Reading, root: Place): void {
  for (const [name, definition] of Object.entries(reading.definitions)) {
    if (reading.known.has(name)) continue;
    const place = inside({ ...root, faults: [] }, '$defs', name);
    const throwaway = { ...reading, open: [name], counts: { properties: 0, occurredAt: 0 } };
    readShape(definition, place, throwaway);
    for (const found of place.faults) {
      if (!root.faults.some((known) => known.message === found.message)) root.faults.push(found);
    }
  }
}

function readType(type: unknown, place: Place): { name: string; nullable: boolean } | null {
  const names = Array.isArray(type) ? type : [type];
  const others = names.filter((name) => name !== 'null');
  const name = others[0];
  const shape = names.length <= 2 && others.length === 1 && names.length - others.length <= 1;
  if (!shape || typeof name !== 'string' || !Object.hasOwn(keywordsOf, name)) {
    fault(place, 'type', `must be one of ${Object.keys(keywordsOf).join(', ')}, or one of them with "null"`);
    return null;
  }
  return { name, nullable: names.length === 2 };
}

function readObject(
  schema: Keywords,
  place: Place,
  { reading, head }: { reading: Reading; head: Head },
): ObjectShape | MapShape | null {
  const free = schema['additionalProperties'];
  if (isRecord(free)) return readMap(schema, place, { reading, head });
  if (free !== undefined && free !== false) {
    fault(place, 'additionalProperties', 'must be false, or the schema of the values of a map');
  }
  const properties = schema['properties'] ?? {};
  if (!isRecord(properties)) {
    fault(place, 'properties', 'must be an object');
    return null;
  }
  const names = Object.keys(properties);
  if (names.length === 0 && place.pointer !== '')
    fault(place, '', 'an object within an event requires properties');
  const required = readRequired(schema, place, properties);
  const members: Member[] = [];
  for (const name of names) {
    const at = { ...inside(place, 'properties', name), depth: place.depth + 1 };
    if (!memberName.test(name) || traps.has(name))
      fault(at, '', `a member name is like ${memberName.source}`);
    // References may multiply a small document: reading ends where the limit does.
    if (++reading.counts.properties > declarationLimits.properties) {
      reading.budget.close();
      break;
    }
    const shape = readShape(properties[name], at, reading);
    if (shape !== null) members.push({ name, required: required.has(name), shape });
  }
  return { kind: 'object', ...head, members };
}

function readRequired(schema: Keywords, place: Place, properties: Keywords): ReadonlySet<string> {
  const required = schema['required'] ?? [];
  if (!Array.isArray(required) || !required.every((name) => typeof name === 'string')) {
    fault(place, 'required', 'must be a list of member names');
    return new Set();
  }
  for (const name of required) {
    if (!Object.hasOwn(properties, name))
      fault(place, 'required', `names "${escapePointer(name)}", which is not a property`);
  }
  return new Set(required);
}

function readMap(
  schema: Keywords,
  place: Place,
  { reading, head }: { reading: Reading; head: Head },
): MapShape | null {
  if (place.pointer === '') fault(place, 'additionalProperties', 'an event must have named members');
  if (schema['properties'] !== undefined) fault(place, 'properties', 'a map has no named members');
  if (schema['required'] !== undefined) fault(place, 'required', 'a map has no named members');
  const at = { ...inside(place, 'additionalProperties'), depth: place.depth + 1 };
  const values = readShape(schema['additionalProperties'], at, { ...reading, repeated: true });
  return values === null ? null : { kind: 'map', ...head, values };
}

function readArray(
  schema: Keywords,
  place: Place,
  { reading, head }: { reading: Reading; head: Head },
): ArrayShape | null {
  const minItems = readCount(schema, place, 'minItems') ?? 0;
  const maxItems = readCount(schema, place, 'maxItems') ?? Number.POSITIVE_INFINITY;
  if (minItems > maxItems) fault(place, 'minItems', 'is greater than maxItems');
  if (schema['items'] === undefined) {
    fault(place, 'items', 'is required: the schema of every item');
    return null;
  }
  const at = { ...inside(place, 'items'), depth: place.depth + 1 };
  const items = readShape(schema['items'], at, { ...reading, repeated: true });
  return items === null ? null : { kind: 'array', ...head, items, minItems, maxItems };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
